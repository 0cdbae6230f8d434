use agentscope_tool::prelude::*;

struct Wave;

#[tool]
impl Wave {}

fn main() {}
