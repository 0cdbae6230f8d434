use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(anthropic))]
struct ListArgs {
    #[serde(rename = "filter[id]")]
    filter: String,
}

fn main() {}
