use agentscope_tool::prelude::*;

#[derive(serde::Deserialize)]
struct Hand {}

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: Hand,
) {
    let _ = hand;
}

fn main() {}
