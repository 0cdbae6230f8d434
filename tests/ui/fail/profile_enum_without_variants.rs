use agentscope_tool::prelude::*;

#[tool_args]
enum Never {}

#[tool_args(undocumented, profiles(openai_strict))]
struct WaitArgs {
    never: Never,
}

fn main() {}
