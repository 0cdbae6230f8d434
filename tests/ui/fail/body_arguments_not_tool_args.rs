use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
struct Wave;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Args {}

impl ToolBody for Wave {
    type Args = Args;
    type Output = String;

    async fn call(&self, _: Args, _: ToolContext) -> String {
        String::new()
    }
}

fn main() {}
