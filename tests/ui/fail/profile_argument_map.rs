use agentscope_tool::prelude::*;
use std::collections::HashMap;

/// Search for something.
#[tool(undocumented, profiles(openai_strict))]
async fn search(text: String, labels: HashMap<String, String>) -> String {
    format!("{text} {}", labels.len())
}

fn main() {}
