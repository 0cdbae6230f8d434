use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(openai_strickt))]
struct PutArgs {
    value: String,
}

fn main() {}
