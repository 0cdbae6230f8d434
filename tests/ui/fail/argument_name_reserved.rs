use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(rename = "_agent_state")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
