use agentscope_tool::prelude::*;

#[tool_args]
fn args() {}

fn main() {}
