use agentscope_tool::prelude::*;

/// Reset.
#[tool]
async fn reset_tools() {}

fn main() {}
