use agentscope_tool::prelude::*;

struct Hand(std::cell::Cell<u8>);

#[toolset]
impl Hand {
    /// Wave.
    #[tool]
    async fn wave(&self) {
        self.0.set(1);
    }

    /// Hail.
    #[tool]
    async fn hail(&self) {}
}

fn main() {}
