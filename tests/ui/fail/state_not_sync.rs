use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] hand: &std::cell::Cell<u8>) {
    let _ = hand;
}

fn main() {}
