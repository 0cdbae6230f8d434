use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[context] #[arg(skip)] hand: &ToolContext) {
    let _ = hand;
}

fn main() {}
