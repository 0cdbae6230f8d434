use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[context] hand: &mut ToolContext) {
    let _ = hand;
}

fn main() {}
