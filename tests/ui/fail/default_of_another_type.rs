use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = "x".len())]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
