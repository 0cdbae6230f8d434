use agentscope_tool::prelude::*;

/// Wave.
#[tool(blocking)]
async fn wave() {}

fn main() {}
