use agentscope_tool::prelude::*;

/// Wave.
#[tool(title)]
async fn wave() {}

fn main() {}
