use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(gemini_parameters))]
struct PostArgs {
    url: String,
    #[serde(flatten)]
    headers: HashMap<String, String>,
}

fn main() {}
