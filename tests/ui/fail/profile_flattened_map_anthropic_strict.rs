use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(anthropic_strict))]
struct PostArgs {
    url: String,
    #[serde(flatten)]
    headers: HashMap<String, String>,
}

fn main() {}
