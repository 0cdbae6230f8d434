use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(hand: ToolContext) {
    let _ = hand;
}

fn main() {}
