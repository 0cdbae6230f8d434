use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(deepseek_strict))]
struct ReadArgs {
    #[serde(rename = "line-number")]
    line_number: u32,
}

fn main() {}
