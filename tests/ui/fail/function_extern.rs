use agentscope_tool::prelude::*;

/// Wave.
#[tool]
extern "C" fn wave() {}

fn main() {}
