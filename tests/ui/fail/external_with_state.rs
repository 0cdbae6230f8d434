use agentscope_tool::prelude::*;

/// Wave.
#[tool(external)]
async fn wave(#[state] hand: &String);

fn main() {}
