use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool(struct = Waver)]
    async fn wave(&self) {}
}

fn main() {}
