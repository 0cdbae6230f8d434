use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[arg(description = 1)] hand: String) {
    drop(hand);
}

fn main() {}
