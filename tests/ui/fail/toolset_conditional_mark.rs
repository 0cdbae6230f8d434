use agentscope_tool::prelude::*;

struct Hand;

#[toolset]
impl Hand {
    /// Wave.
    #[cfg_attr(unix, tool(read_only))]
    async fn wave(&self) {}
}

fn main() {}
