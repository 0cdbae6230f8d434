use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(pattern = "^(?=a)")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
