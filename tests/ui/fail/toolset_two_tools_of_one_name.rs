use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool]
    async fn wave(&self) {}

    /// Hail.
    #[tool(name = "wave")]
    async fn hail(&self) {}
}

fn main() {}
