use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
struct Page<T> {
    items: Vec<T>,
    next: Option<String>,
}

#[tool_args(undocumented, profiles(anthropic_strict))]
struct Comment {
    text: String,
    answers: Page<Comment>,
}

fn main() {}
