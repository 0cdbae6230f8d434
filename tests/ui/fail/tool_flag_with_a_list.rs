use agentscope_tool::prelude::*;

/// Wave.
#[tool(concurrency_safe(false))]
async fn wave() {}

fn main() {}
