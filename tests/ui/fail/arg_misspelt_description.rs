use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[arg(descripton = "The hand.")] hand: String) {
    let _ = hand;
}

fn main() {}
