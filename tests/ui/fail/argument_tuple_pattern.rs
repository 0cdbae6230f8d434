use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(
    /// The hands.
    (left, right): (String, String),
) {
    drop((left, right));
}

fn main() {}
