use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave();

fn main() {}
