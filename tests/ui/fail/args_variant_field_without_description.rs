use agentscope_tool::prelude::*;

#[tool_args]
enum Args {
    Left,
    Right { hand: String },
}

fn main() {}
