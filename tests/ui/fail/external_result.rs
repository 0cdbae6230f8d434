use agentscope_tool::prelude::*;

/// Wave.
#[tool(external)]
async fn wave() -> Result<String, String>;

fn main() {}
