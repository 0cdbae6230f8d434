use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] hand: std::sync::Arc<AgentState>) {
    let _ = hand;
}

fn main() {}
