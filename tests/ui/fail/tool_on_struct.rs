use agentscope_tool::prelude::*;

/// Wave.
#[tool]
struct Wave;

fn main() {}
