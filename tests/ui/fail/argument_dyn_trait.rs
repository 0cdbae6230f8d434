use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: Box<dyn Fn() + Send>,
) {
    let _ = hand;
}

fn main() {}
