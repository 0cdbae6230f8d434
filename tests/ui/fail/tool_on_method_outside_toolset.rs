use agentscope_tool::prelude::*;

struct Hand;

impl Hand {
    /// Wave.
    #[tool]
    async fn wave(&self) {}
}

fn main() {}
