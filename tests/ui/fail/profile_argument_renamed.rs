use agentscope_tool::prelude::*;

/// Search for something.
#[tool(undocumented, profiles(gemini_parameters))]
async fn search(#[arg(rename = "search-text")] text: String) -> String {
    text
}

fn main() {}
