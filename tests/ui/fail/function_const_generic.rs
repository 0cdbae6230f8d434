use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave<const N: usize>() {}

fn main() {}
