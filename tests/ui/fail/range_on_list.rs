use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(range(min = 1))]
    hand: Vec<u8>,
) {
    let _ = hand;
}

fn main() {}
