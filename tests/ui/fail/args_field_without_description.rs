use agentscope_tool::prelude::*;

#[tool_args]
struct Args {
    hand: String,
}

fn main() {}
