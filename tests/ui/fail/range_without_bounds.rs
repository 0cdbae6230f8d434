use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(range())]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
