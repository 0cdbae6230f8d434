use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[context] #[context] hand: &ToolContext) {
    let _ = hand;
}

fn main() {}
