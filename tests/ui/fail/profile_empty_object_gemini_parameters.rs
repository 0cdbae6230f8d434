use agentscope_tool::prelude::*;

#[tool_args]
struct Options {}

#[tool_args(undocumented, profiles(gemini_parameters))]
struct RunArgs {
    options: Options,
    command: String,
}

fn main() {}
