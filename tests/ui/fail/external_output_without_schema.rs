use agentscope_tool::prelude::*;

struct Gesture;

/// Wave.
#[tool(external)]
async fn wave() -> Gesture;

fn _use() -> Gesture {
    Gesture
}

fn main() {}
