use agentscope_tool::prelude::*;

struct Wave;

/// Wave.
#[tool]
async fn wave() {}

fn _use() -> Wave {
    Wave
}

fn main() {}
