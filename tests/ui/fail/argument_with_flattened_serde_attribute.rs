use agentscope_tool::prelude::*;

#[tool_args]
struct Hand {}

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[serde(flatten)]
    hand: Hand,
) {
    let _ = hand;
}

fn main() {}
