use agentscope_tool::prelude::*;

#[derive(serde::Deserialize, ToolArgs)]
struct Args {
    /// The hand.
    hand: String,
}

fn _use(args: &Args) -> &str {
    &args.hand
}

fn main() {}
