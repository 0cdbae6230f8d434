use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = "x")]
    hand: u32,
) {
    let _ = hand;
}

fn main() {}
