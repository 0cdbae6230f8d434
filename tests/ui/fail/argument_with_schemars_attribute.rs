use agentscope_tool::prelude::*;

struct Body;

#[toolset]
impl Body {
    /// Wave.
    #[tool]
    async fn wave(
        &self,
        /// How often.
        #[schemars(range(min = 1, max = 9))]
        times: u8,
    ) {
        let _ = (self, times);
    }
}

fn main() {}
