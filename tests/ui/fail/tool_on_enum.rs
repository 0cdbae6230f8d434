use agentscope_tool::prelude::*;

/// Wave.
#[tool]
enum Wave {}

fn main() {}
