use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool]
    async fn wave(&mut self) {}
}

fn main() {}
