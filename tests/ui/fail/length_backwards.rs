use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(length(min = 10, max = 1))]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
