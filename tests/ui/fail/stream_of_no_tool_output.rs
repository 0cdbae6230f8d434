use agentscope_tool::prelude::*;

struct Gesture;

/// Wave.
#[tool]
fn wave() -> impl Stream<Item = Gesture> + Send {
    futures_util::stream::iter([Gesture])
}

fn main() {}
