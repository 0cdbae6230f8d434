use agentscope_tool::prelude::*;

const PATTERN: &str = "^a";

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(pattern = PATTERN)]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
