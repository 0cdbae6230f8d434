use agentscope_tool::prelude::*;
use agentscope_tool::serde_json::Value;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(openai))]
struct Inner {
    labels: HashMap<String, String>,
    value: Value,
    #[serde(rename = "a-b")]
    name: String,
}

#[tool_args(undocumented, profiles(openai_strict))]
struct OuterArgs {
    inner: Inner,
}

fn main() {}
