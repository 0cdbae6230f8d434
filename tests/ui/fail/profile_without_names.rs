use agentscope_tool::prelude::*;

/// Put something.
#[tool(undocumented, profiles)]
async fn put(value: String) -> String {
    value
}

fn main() {}
