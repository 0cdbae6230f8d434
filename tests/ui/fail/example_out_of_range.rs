use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(example = 1, example = 11, range(max = 10))]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
