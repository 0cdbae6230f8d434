use agentscope_tool::prelude::*;

/// Wave.
#[tool(readonly)]
async fn wave() {}

fn main() {}
