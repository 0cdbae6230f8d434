use agentscope_tool::prelude::*;

#[tool_args(undocumented)]
#[serde(tag = "kind")]
enum Target {
    File { path: String },
    Page { url: String },
}

#[tool_args(undocumented, profiles(deepseek_strict))]
struct OpenArgs {
    #[serde(flatten)]
    target: Target,
    wait: bool,
}

fn main() {}
