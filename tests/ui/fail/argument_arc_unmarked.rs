use std::sync::Arc;
use agentscope_tool::prelude::*;

struct Hand;

/// Wave.
#[tool]
async fn wave(hand: Arc<Hand>) {
    let _ = hand;
}

fn main() {}
