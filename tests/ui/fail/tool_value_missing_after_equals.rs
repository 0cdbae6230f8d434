use agentscope_tool::prelude::*;

/// Wave.
#[tool(title = , read_only)]
async fn wave() {}

fn main() {}
