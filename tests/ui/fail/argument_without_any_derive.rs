use agentscope_tool::prelude::*;

struct Hand;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: Hand,
) {
    let _ = hand;
}

fn main() {}
