use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[cfg(unix)]
    hand: String,
) {
    drop(hand);
}

fn main() {}
