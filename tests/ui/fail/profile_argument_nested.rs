use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented)]
struct Filter {
    field: String,
    labels: HashMap<String, String>,
}

/// Search for something.
#[tool(undocumented, profiles(portable))]
async fn search(text: String, filters: Vec<Filter>) -> String {
    format!("{text} {}", filters.len())
}

fn main() {}
