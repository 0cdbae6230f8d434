use agentscope_tool::prelude::*;

#[tool_args]
struct Options {}

#[tool_args(undocumented, profiles(anthropic_strict))]
struct RunArgs {
    options: Options,
    command: String,
}

fn main() {}
