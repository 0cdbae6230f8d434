use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(openai_strict, openai_strict))]
struct PutArgs {
    value: String,
}

fn main() {}
