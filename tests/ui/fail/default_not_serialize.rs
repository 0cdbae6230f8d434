use agentscope_tool::prelude::*;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Hand {}

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = Hand {})]
    hand: Hand,
) {
    let _ = hand;
}

fn main() {}
