use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
struct Wave;

fn main() {}
