use agentscope_tool::prelude::*;

struct Gesture;

/// Wave.
#[tool]
async fn wave() -> Result<Gesture, String> {
    Ok(Gesture)
}

fn main() {}
