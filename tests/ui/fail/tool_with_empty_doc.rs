use agentscope_tool::prelude::*;

///
#[tool]
async fn wave() {}

fn main() {}
