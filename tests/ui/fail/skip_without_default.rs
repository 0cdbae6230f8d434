use agentscope_tool::prelude::*;

struct Hand;

/// Wave.
#[tool]
async fn wave(#[arg(skip)] hand: Hand) {
    drop(hand);
}

fn main() {}
