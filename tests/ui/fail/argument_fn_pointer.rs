use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: fn(),
) {
    let _ = hand;
}

fn main() {}
