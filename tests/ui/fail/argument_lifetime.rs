use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: std::borrow::Cow<'_, str>,
) {
    let _ = hand;
}

fn main() {}
