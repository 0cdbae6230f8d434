use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(length(min = 1))]
    hand: bool,
) {
    let _ = hand;
}

fn main() {}
