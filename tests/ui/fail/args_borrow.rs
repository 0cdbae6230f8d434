use agentscope_tool::prelude::*;

#[tool_args]
struct Args<'a> {
    /// The hand.
    hand: &'a str,
}

fn main() {}
