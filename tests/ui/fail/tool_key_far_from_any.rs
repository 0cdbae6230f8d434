use agentscope_tool::prelude::*;

/// Wave.
#[tool(audience = everybody)]
async fn wave() {}

fn main() {}
