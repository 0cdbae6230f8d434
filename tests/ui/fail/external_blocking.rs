use agentscope_tool::prelude::*;

/// Wave.
#[tool(external, blocking)]
fn wave();

fn main() {}
