use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[serde(default = "left")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
