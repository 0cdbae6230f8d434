use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
#[spec(external)]
struct Wave;

fn main() {}
