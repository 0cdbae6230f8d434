use agentscope_tool::prelude::*;

/// Deploy.
#[tool(permission = may_deploy)]
async fn deploy() {}

fn main() {}
