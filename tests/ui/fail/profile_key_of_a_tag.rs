use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
#[serde(tag = "@type")]
enum Target {
    File { path: String },
    Page { url: String },
}

#[tool_args(undocumented, profiles(gemini_parameters))]
struct OpenArgs {
    target: Target,
}

fn main() {}
