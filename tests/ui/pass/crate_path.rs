//! `crate = path`, when the crate is only reachable through another.

mod framework {
    pub use agentscope_tool as tools;
}

use framework::tools::{ExternalBody, Tool, tool, tool_args, toolset};

/// Wave.
#[tool(crate = crate::framework::tools)]
async fn wave(/** The hand. */ #[arg(default = "left")] hand: String) -> String {
    hand
}

#[tool_args(crate = crate::framework::tools)]
struct Args {
    /// The hand.
    hand: String,
}

/// Hail.
#[derive(Tool)]
#[spec(external, crate = crate::framework::tools)]
struct Hail;

impl ExternalBody for Hail {
    type Args = Args;
    type Output = String;
}

struct Hand;

#[toolset(crate = crate::framework::tools)]
impl Hand {
    /// Clap.
    #[tool]
    async fn clap(&self) {}
}

fn main() {
    assert_eq!(Wave.spec().name(), "wave");
    assert_eq!(Hail.spec().name(), "Hail");
    let _ = Args { hand: String::new() }.hand;
    let _ = Hand;
}
