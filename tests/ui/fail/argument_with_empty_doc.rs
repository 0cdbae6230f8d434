use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    ///
    hand: String,
) {
    drop(hand);
}

fn main() {}
