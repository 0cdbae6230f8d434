use agentscope_tool::prelude::*;
use std::collections::HashMap;

#[tool_args(undocumented)]
struct PutArgs {
    key: String,
    labels: HashMap<String, String>,
}

/// Put something.
#[derive(Tool)]
#[spec(profiles(openai_strict, gemini))]
struct Put;

impl ToolBody for Put {
    type Args = PutArgs;
    type Output = String;
    async fn call(&self, args: PutArgs, _: ToolContext) -> String {
        format!("{} {}", args.key, args.labels.len())
    }
}

fn main() {}
