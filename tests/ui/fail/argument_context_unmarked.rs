use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: &ToolContext,
) {
    let _ = hand;
}

fn main() {}
