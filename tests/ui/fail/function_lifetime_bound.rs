use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave<'a, 'b: 'a>(#[state] hand: &'b String, #[state] arm: &'a Vec<u8>) {
    let _ = (hand, arm);
}

fn main() {}
