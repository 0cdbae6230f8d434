use agentscope_tool::prelude::*;

trait Hand: Send + Sync {}

/// Wave.
#[tool]
async fn wave(hand: &dyn Hand) {
    let _ = hand;
}

fn main() {}
