use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: &AgentState,
) {
    let _ = hand;
}

fn main() {}
