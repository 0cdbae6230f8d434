use agentscope_tool::prelude::*;

/// Draw.
#[tool]
async fn _2d() {}

fn main() {}
