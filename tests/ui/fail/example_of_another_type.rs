use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(example = "one")]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
