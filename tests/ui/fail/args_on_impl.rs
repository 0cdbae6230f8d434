use agentscope_tool::prelude::*;

struct Args;

#[tool_args]
impl Args {}

fn main() {}
