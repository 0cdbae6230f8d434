use agentscope_tool::prelude::*;

/// Wave.
#[tool(external)]
async fn wave() {}

fn main() {}
