use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Clone for Hand {
    fn clone(&self) -> Self {
        Self
    }
}

fn main() {}
