use agentscope_tool::prelude::*;

/// Wave.
#[tool]
fn wave() -> impl Iterator<Item = String> + Send {
    std::iter::once(String::new())
}

fn main() {}
