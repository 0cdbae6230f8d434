use agentscope_tool::prelude::*;

/// Wave.
#[tool(name = "wave", name = "hail")]
async fn wave() {}

fn main() {}
