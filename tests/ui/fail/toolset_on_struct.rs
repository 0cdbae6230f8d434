use agentscope_tool::prelude::*;

#[toolset]
struct Hand;

fn main() {}
