use agentscope_tool::prelude::*;

/// Wave.
#[tool]
#[tool(read_only)]
async fn wave() {}

fn main() {}
