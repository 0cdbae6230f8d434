use agentscope_tool::prelude::*;

#[tool_args(undocumentd)]
struct Args {
    hand: String,
}

fn main() {}
