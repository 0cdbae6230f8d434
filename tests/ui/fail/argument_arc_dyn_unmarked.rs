use agentscope_tool::prelude::*;

trait Hand: Send + Sync {}

/// Wave.
#[tool]
async fn wave(hand: std::sync::Arc<dyn Hand>) {
    let _ = hand;
}

fn main() {}
