use agentscope_tool::prelude::*;

#[tool(undocumented)]
async fn wave(hand: String) {
    let _ = hand;
}

fn main() {}
