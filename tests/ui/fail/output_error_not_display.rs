use agentscope_tool::prelude::*;

struct Tired;

/// Wave.
#[tool]
async fn wave() -> Result<String, Tired> {
    Err(Tired)
}

fn main() {}
