use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = "Left", pattern = "^[a-z]+$")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
