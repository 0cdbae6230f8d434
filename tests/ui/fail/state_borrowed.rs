use agentscope_tool::prelude::*;

/// Wave.
#[tool]
async fn wave(#[state] hand: &std::borrow::Cow<'_, str>) {
    let _ = hand;
}

fn main() {}
