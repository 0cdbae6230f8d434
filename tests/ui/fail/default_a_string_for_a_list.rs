use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = "x")]
    hand: Vec<String>,
) {
    let _ = hand;
}

fn main() {}
