use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(format = "phone")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
