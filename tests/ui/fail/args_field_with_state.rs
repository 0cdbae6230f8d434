use agentscope_tool::prelude::*;

#[tool_args]
struct Args {
    /// The hand.
    #[state]
    hand: u8,
}

fn main() {}
