use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
#[spec(titel = "Wave")]
struct Wave;

#[tool_args]
struct Args {}

impl ToolBody for Wave {
    type Args = Args;
    type Output = String;

    async fn call(&self, _: Args, _: ToolContext) -> String {
        String::new()
    }
}

fn main() {}
