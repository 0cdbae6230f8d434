use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] #[arg(rename = "arm")] hand: &String) {
    let _ = hand;
}

fn main() {}
