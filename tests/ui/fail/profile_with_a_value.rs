use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(openai = true))]
struct PutArgs {
    value: String,
}

fn main() {}
