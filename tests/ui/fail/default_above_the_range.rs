use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = 1.5, range(max = 1))]
    hand: f64,
) {
    let _ = hand;
}

fn main() {}
