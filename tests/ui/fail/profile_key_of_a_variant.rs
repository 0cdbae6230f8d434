use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
#[serde(rename_all = "kebab-case")]
enum Target {
    LocalFile { path: String },
    Page { url: String },
}

#[tool_args(undocumented, profiles(openai_strict))]
struct OpenArgs {
    target: Target,
}

fn main() {}
