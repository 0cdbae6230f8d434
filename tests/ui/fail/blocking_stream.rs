use agentscope_tool::prelude::*;

/// Wave.
#[tool(blocking)]
fn wave() -> impl Stream<Item = String> + Send {
    futures_util::stream::empty()
}

fn main() {}
