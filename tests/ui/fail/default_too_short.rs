use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(default = "", length(min = 1))]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
