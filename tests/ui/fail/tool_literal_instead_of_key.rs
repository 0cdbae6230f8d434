use agentscope_tool::prelude::*;

/// Wave.
#[tool("wave")]
async fn wave() {}

fn main() {}
