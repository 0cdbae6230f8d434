use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
#[serde(tag = "action")]
enum Action {
    Read { path: String },
    Write { path: String, text: String },
}

/// Act on files.
#[derive(Tool)]
struct Files;

impl ToolBody for Files {
    type Args = Action;
    type Output = String;
    async fn call(&self, _: Action, _: ToolContext) -> String {
        String::new()
    }
}

fn main() {}
