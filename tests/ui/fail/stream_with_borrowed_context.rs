use agentscope_tool::prelude::*;

/// Wave.
#[tool]
fn wave(#[context] hand: &ToolContext) -> impl Stream<Item = String> {
    let _ = hand;
    futures_util::stream::empty()
}

fn main() {}
