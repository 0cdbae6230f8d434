use agentscope_tool::prelude::*;

struct Hand;

#[toolset(read_only)]
impl Hand {
    /// Wave.
    #[tool]
    async fn wave(&self) {}
}

fn main() {}
