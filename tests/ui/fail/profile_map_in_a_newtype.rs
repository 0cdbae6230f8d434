use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(profiles(openai_strict))]
struct Labels(HashMap<String, String>);

fn main() {}
