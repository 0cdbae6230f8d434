use agentscope_tool::prelude::*;

/// Wave.
#[tool(title = 3)]
async fn wave() {}

fn main() {}
