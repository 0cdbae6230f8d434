use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] hand: &mut String) {
    let _ = hand;
}

fn main() {}
