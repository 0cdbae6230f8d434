use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: impl Into<String> + Send,
) {
    let _ = hand;
}

fn main() {}
