use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] hand: String) {
    let _ = hand;
}

fn main() {}
