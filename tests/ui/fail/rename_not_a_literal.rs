use agentscope_tool::prelude::*;

const NAME: &str = "right";

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(rename = NAME)]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
