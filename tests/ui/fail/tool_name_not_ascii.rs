use agentscope_tool::prelude::*;

/// Greet.
#[tool]
async fn grüßen() {}

fn main() {}
