use agentscope_tool::prelude::*;
use agentscope_tool::serde_json::Value;

struct Store;

#[toolset]
impl Store {
    /// Put a value.
    #[tool(undocumented, profiles(deepseek_strict))]
    async fn put(&self, key: String, value: Value) -> String {
        format!("{key} {value}")
    }
}

fn main() {}
