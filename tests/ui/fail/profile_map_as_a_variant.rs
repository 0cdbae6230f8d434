use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(deepseek_strict))]
enum Step {
    Wait,
    Set(HashMap<String, String>),
}

fn main() {}
