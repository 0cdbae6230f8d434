//! The macros find `agentscope-tool` by the name that this crate's `Cargo.toml` gives it.

use toolbox::prelude::*;

/// The arguments of [`Hail`].
#[tool_args]
pub struct Args {
    /// Whom to hail.
    pub whom: String,
}

/// Wave.
#[tool]
pub async fn wave(
    /// Which hand.
    #[arg(default = "left")]
    hand: String,
    #[state] agent: &AgentState,
) -> String {
    format!("{hand}{}", agent.session_id().is_empty())
}

/// Hail.
#[derive(Tool, Debug)]
pub struct Hail;

impl ToolBody for Hail {
    type Args = Args;
    type Output = String;

    async fn call(&self, args: Args, _: ToolContext) -> String {
        args.whom
    }
}

/// Two hands.
#[derive(Debug)]
pub struct Hands;

#[toolset]
impl Hands {
    /// Clap.
    #[tool]
    pub async fn clap(
        &self,
        /** How often. */
        times: u8,
    ) -> u8 {
        times
    }
}

#[cfg(test)]
mod tests {
    use toolbox::prelude::*;
    use toolbox::serde_json::json;

    use super::{Hail, Hands, Wave};

    #[tokio::test]
    async fn a_renamed_dependency_is_found() {
        assert_eq!(testing::call(Wave, json!({})).await.text(), "leftfalse");
        assert_eq!(testing::call(Hail, json!({ "whom": "Ada" })).await.text(), "Ada");
        let toolkit = Toolkit::builder().toolset(Hands).build().unwrap();
        let call = ToolCall::new("1", "clap", r#"{"times": 3}"#);
        assert_eq!(toolkit.call_unchecked(call, &AgentState::new()).response().await.text(), "3");
    }
}
