use agentscope_tool::prelude::*;

/// Wave.
///
/// # Arguments
///
/// * `hnad` - The hand.
#[tool(undocumented)]
async fn wave(hand: String) {
    drop(hand);
}

fn main() {}
