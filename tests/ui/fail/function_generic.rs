use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave<T>(
    /// The hand.
    hand: Vec<u8>,
) {
    drop(hand);
}

fn main() {}
