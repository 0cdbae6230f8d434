use agentscope_tool::prelude::*;

/// Wave.
#[tool(external)]
async fn wave(#[arg(skip)] hand: u8);

fn main() {}
