use agentscope_tool::prelude::*;
use agentscope_tool::serde_json;

#[tool_args(undocumented, profiles(anthropic_strict))]
struct StoreArgs {
    key: String,
    value: serde_json::Value,
}

fn main() {}
