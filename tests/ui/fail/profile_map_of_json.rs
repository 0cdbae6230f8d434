use agentscope_tool::prelude::*;
use agentscope_tool::serde_json::{Map, Value};

#[tool_args(undocumented, profiles(openai_strict))]
struct PatchArgs {
    patch: Map<String, Value>,
}

fn main() {}
