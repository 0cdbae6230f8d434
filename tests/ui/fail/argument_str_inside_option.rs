use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: Option<&str>,
) {
    let _ = hand;
}

fn main() {}
