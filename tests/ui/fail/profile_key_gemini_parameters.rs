use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(gemini_parameters))]
struct ReadArgs {
    #[serde(rename = "line-number")]
    line_number: u32,
}

fn main() {}
