use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[context] hand: &String) {
    let _ = hand;
}

fn main() {}
