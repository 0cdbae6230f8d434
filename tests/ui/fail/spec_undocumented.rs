use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
#[spec(undocumented)]
struct Wave;

fn main() {}
