use agentscope_tool::prelude::*;

#[tool(description = " ")]
async fn wave() {}

fn main() {}
