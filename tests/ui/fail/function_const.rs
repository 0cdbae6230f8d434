use agentscope_tool::prelude::*;

/// Wave.
#[tool]
const fn wave() {}

fn main() {}
