use agentscope_tool::prelude::*;

/// Wave.
#[tool(idempotent = 1)]
async fn wave() {}

fn main() {}
