use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(bedrock))]
struct ListArgs {
    #[serde(rename = "filter[id]")]
    filter: String,
}

fn main() {}
