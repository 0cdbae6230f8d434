use agentscope_tool::prelude::*;

/// Put something.
#[tool(undocumented, profiles(everybody))]
async fn put(value: String) -> String {
    value
}

fn main() {}
