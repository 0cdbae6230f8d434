use agentscope_tool::prelude::*;

struct Gesture;

/// Wave.
#[tool]
async fn wave() -> Gesture {
    Gesture
}

fn main() {}
