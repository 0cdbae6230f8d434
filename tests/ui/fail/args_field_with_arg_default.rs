use agentscope_tool::prelude::*;

#[tool_args]
struct Args {
    /// The hand.
    #[arg(default = 1)]
    hand: u8,
}

fn main() {}
