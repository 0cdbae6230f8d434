use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool(crate = ::agentscope_tool)]
    async fn wave(&self) {}
}

fn main() {}
