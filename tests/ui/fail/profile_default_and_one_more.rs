use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(default, openai_strict))]
struct SearchArgs {
    labels: [HashMap<String, u8>; 2],
}

fn main() {}
