use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
struct Node {
    value: i32,
    next: Option<Box<Node>>,
}

#[tool_args(undocumented, profiles(gemini_parameters))]
struct ListArgs {
    head: Node,
}

fn main() {}
