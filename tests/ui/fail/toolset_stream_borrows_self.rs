use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[tool]
    fn wave(&self) -> impl Stream<Item = String> + Send {
        futures_util::stream::empty()
    }
}

fn main() {}
