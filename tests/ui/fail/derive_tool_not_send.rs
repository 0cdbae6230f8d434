use agentscope_tool::prelude::*;

/// Wave.
#[derive(Tool)]
struct Wave {
    hand: std::sync::MutexGuard<'static, u8>,
}

fn _use(wave: &Wave) -> u8 {
    *wave.hand
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
