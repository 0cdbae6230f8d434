use agentscope_tool::prelude::*;

/// Wave.
#[tool(external)]
async fn wave(#[context] cx: &ToolContext);

fn main() {}
