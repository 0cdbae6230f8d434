use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool]
    #[tool(read_only)]
    async fn wave(&self) {}
}

fn main() {}
