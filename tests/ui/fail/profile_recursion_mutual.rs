use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(openai_strict))]
struct Folder {
    entries: Vec<Entry>,
}

#[tool_args(undocumented)]
struct Entry {
    name: String,
    folder: Option<Folder>,
}

fn main() {}
