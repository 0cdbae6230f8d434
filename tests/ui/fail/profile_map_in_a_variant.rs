use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(openai_strict))]
enum Step {
    Wait,
    Set { variables: HashMap<String, String> },
}

fn main() {}
