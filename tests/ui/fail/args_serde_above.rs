use agentscope_tool::prelude::*;

#[serde(rename_all = "camelCase")]
#[tool_args]
struct Args {
    /// The left hand.
    left_hand: String,
}

fn _use(args: &Args) -> &str {
    &args.left_hand
}

fn main() {}
