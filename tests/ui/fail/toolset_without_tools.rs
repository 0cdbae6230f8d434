use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    fn wave(&self) {}
}

fn main() {}
