use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    #[arg(format = "e-mail")]
    hand: String,
) {
    let _ = hand;
}

fn main() {}
