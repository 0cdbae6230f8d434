use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = Some(1))]
    hand: u8,
) {
    let _ = hand;
}

fn main() {}
