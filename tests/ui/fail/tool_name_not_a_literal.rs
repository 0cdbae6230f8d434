use agentscope_tool::prelude::*;

const NAME: &str = "wave";

/// Wave.
#[tool(name = NAME)]
async fn wave() {}

fn main() {}
