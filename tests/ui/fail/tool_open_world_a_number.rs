use agentscope_tool::prelude::*;

/// Wave.
#[tool(open_world = 1)]
async fn wave() {}

fn main() {}
