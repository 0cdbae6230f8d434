use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: *const u8,
) {
    let _ = hand;
}

fn main() {}
