use agentscope_tool::prelude::*;

/// Wave.
#[tool(crate = "agentscope_tool")]
async fn wave() {}

fn main() {}
