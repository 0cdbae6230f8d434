use agentscope_tool::prelude::*;

#[tool_args(undocumentd)]
struct Args {
    /// The hand.
    hand: String,
}

fn main() {}
