use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
struct ListArgs {
    #[serde(rename = "$top")]
    top: u32,
    skip: u32,
}

fn main() {}
