use agentscope_tool::prelude::*;

/// Wave.
#[tool(undocumented = 1)]
async fn wave() {}

fn main() {}
