use agentscope_tool::prelude::*;

/// Deploy.
#[tool(permission = )]
async fn deploy() {}

fn main() {}
