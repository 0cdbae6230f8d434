use agentscope_tool::prelude::*;

/// Wave.
#[tool(read_only = "yes")]
async fn wave() {}

fn main() {}
