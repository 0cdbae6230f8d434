use agentscope_tool::prelude::*;

struct Hand;

/// Wave.
#[tool]
async fn wave(hand: State<Hand>) {
    let _ = hand;
}

fn main() {}
