use agentscope_tool::prelude::*;

/// Wave.
#[tool]
fn wave() -> impl Future<Output = String> + Send {
    std::future::ready(String::new())
}

fn main() {}
