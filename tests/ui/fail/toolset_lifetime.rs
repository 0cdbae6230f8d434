use agentscope_tool::prelude::*;

struct Hand<'a>(&'a str);

#[toolset]
impl<'a> Hand<'a> {
    /// Wave.
    #[tool]
    async fn wave(&self) {
        let _ = self.0;
    }
}

fn main() {}
