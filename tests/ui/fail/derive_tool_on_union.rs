use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
union Wave {
    left: u8,
}

fn _use() -> Wave {
    Wave { left: 0 }
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
