use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(hand: AgentState) {
    let _ = hand;
}

fn main() {}
