use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] #[context] hand: &ToolContext) {
    let _ = hand;
}

fn main() {}
