use agentscope_tool::prelude::*;

#[tool(descripton = "Wave.")]
async fn wave(/** The hand. */ hand: String) {
    let _ = hand;
}

fn main() {}
