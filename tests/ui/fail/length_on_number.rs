use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(length(min = 1))]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
