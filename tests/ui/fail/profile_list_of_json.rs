use agentscope_tool::prelude::*;
use agentscope_tool::serde_json::Value;

#[tool_args(undocumented, profiles(anthropic_strict))]
struct PatchArgs {
    operations: Vec<Value>,
}

fn main() {}
