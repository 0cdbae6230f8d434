use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented)]
struct Filter {
    field: String,
    labels: HashMap<String, String>,
}

#[tool_args(undocumented, profiles(openai_strict))]
struct SearchArgs {
    text: String,
    filters: Option<Vec<Filter>>,
}

fn main() {}
