use agentscope_tool::prelude::*;

struct Hand;

#[toolset(crat = ::agentscope_tool)]
impl Hand {
    /// Wave.
    #[tool]
    async fn wave(&self) {}
}

fn main() {}
