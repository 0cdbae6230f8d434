use agentscope_tool::prelude::*;
use std::collections::BTreeMap;

#[tool_args(undocumented, profiles(openai_strict))]
struct ScoreArgs {
    scores: BTreeMap<u32, f64>,
}

fn main() {}
