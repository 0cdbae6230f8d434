use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
enum Wave {
    Left,
}

fn _use() -> Wave {
    Wave::Left
}

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
