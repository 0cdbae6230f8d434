use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool(external)]
    async fn wave(&self);
}

fn main() {}
