use agentscope_tool::prelude::*;

/// Wave.
#[tool]
fn wave(#[state] hand: &String) -> impl Stream<Item = String> {
    futures_util::stream::iter([hand.clone()])
}

fn main() {}
