use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(deepseek_strict))]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

fn main() {}
