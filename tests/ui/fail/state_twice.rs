use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] #[state] hand: &String) {
    let _ = hand;
}

fn main() {}
