use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    __hand: String,
) {
    drop(__hand);
}

fn main() {}
