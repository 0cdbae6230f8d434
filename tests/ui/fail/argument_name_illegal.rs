use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(rename = "right hand")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
