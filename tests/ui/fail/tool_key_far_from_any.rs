use agentscope_tool::prelude::*;

/// Wave.
#[tool(permission = allow)]
async fn wave() {}

fn main() {}
