use agentscope_tool::prelude::*;

/// Wave.
#[tool(destructive = 1)]
async fn wave() {}

fn main() {}
