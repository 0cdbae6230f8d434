use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented)]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
}

#[tool_args(undocumented, profiles(openai_strict))]
struct ShowArgs {
    pages: Page<Page<HashMap<String, u8>>>,
}

fn main() {}
