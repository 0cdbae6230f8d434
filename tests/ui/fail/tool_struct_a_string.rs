use agentscope_tool::prelude::*;

/// Wave.
#[tool(struct = "Waver")]
async fn wave() {}

fn main() {}
