use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: &str,
) {
    let _ = hand;
}

fn main() {}
