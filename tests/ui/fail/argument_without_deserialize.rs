use agentscope_tool::prelude::*;

#[derive(schemars::JsonSchema)]
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
