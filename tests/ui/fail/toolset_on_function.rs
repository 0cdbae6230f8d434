use agentscope_tool::prelude::*;

/// Wave.
#[toolset]
async fn wave() {}

fn main() {}
