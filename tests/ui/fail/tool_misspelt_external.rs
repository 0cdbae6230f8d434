use agentscope_tool::prelude::*;

/// Wave.
#[tool(externl)]
async fn wave();

fn main() {}
