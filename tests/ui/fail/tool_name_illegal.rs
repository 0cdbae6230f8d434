use agentscope_tool::prelude::*;

/// Wave.
#[tool(name = "wave hand")]
async fn wave() {}

fn main() {}
