use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented, profiles(openai_strict))]
struct PairArgs {
    pair: (u8, HashMap<String, u8>),
}

fn main() {}
