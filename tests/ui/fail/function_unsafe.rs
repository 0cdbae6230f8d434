use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async unsafe fn wave() {}

fn main() {}
