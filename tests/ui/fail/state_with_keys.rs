use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state(shared)] hand: &String) {
    let _ = hand;
}

fn main() {}
