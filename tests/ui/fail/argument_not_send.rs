use agentscope_tool::prelude::*;
use std::rc::Rc;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Hand {
    #[serde(skip)]
    fingers: Rc<u8>,
}

/// Wave.
#[tool]
async fn wave(
    /// The hand.
    hand: Hand,
) {
    let _ = hand.fingers;
}

fn main() {}
