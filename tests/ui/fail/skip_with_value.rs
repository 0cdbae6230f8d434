use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(skip = true)]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
