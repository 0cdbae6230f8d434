use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(gemini_parameters))]
struct Tree {
    name: String,
    children: Vec<Tree>,
}

fn main() {}
