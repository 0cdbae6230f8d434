use agentscope_tool::prelude::*;

#[tool_args(undocumented, profiles(portable))]
#[serde(rename_all = "kebab-case")]
struct ReadArgs {
    file_path: String,
}

fn main() {}
