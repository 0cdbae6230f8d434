use agentscope_tool::prelude::*;

/// Wave.
#[tool]
fn wave(_: ...) {}

fn main() {}
