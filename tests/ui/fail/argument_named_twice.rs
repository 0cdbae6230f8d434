use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The left hand.
    left: String,
    /// The right hand.
    #[arg(rename = "left")]
    right: String,
) {
    drop((left, right));
}

fn main() {}
