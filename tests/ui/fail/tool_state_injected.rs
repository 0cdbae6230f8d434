use agentscope_tool::prelude::*;

/// Wave.
#[tool(state_injected)]
async fn wave() {}

fn main() {}
