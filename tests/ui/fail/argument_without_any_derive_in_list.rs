use agentscope_tool::prelude::*;

struct Hand;

struct Body;

#[toolset]
impl Body {
    /// Wave.
    #[tool]
    async fn wave(
        &self,
        /// The hands.
        #[arg(length(min = 1))]
        hands: Vec<Hand>,
    ) {
        let _ = (self, hands);
    }
}

fn main() {}
