//! The macros find `agentscope-tool` by the name that this crate's `Cargo.toml` gives it.

use toolbox::prelude::*;

/// The arguments of [`Hail`].
#[tool_args]
pub struct Args {
    /// Whom to hail.
    pub whom: String,
}

/// Wave.
#[tool(permission = may_wave)]
pub async fn wave(
    /// Which hand.
    #[arg(default = "left")]
    hand: String,
    #[state] agent: &AgentState,
) -> String {
    format!("{hand}{}", agent.session_id().is_empty())
}

/// Who may wave.
pub fn may_wave(input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    if input.str("hand").is_ok_and(|hand| hand == "left") {
        PermissionDecision::allow("left")
    } else {
        PermissionDecision::deny("right")
    }
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
    #[tool(permission = Self::may_clap)]
    pub async fn clap(
        &self,
        /** How often. */
        times: u8,
    ) -> u8 {
        times
    }

    /// How often may be clapped.
    pub async fn may_clap(&self, input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        if input.arg("times").is_ok_and(|times: u8| times == 3) {
            PermissionDecision::allow("three")
        } else {
            PermissionDecision::deny("not three")
        }
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

    #[tokio::test]
    async fn permission_functions_find_a_renamed_dependency() {
        let toolkit = Toolkit::builder().tool(Wave).toolset(Hands).build().unwrap();
        for (name, arguments, expected) in [
            ("wave", r#"{"hand": "left"}"#, PermissionBehavior::Allow),
            ("wave", r#"{"hand": "right"}"#, PermissionBehavior::Deny),
            ("clap", r#"{"times": 3}"#, PermissionBehavior::Allow),
            ("clap", r#"{"times": 4}"#, PermissionBehavior::Deny),
        ] {
            let decision = toolkit.check(&ToolCall::new("1", name, arguments), &AgentState::new()).await;
            assert_eq!(decision.behavior, expected, "{name} {arguments}");
        }
    }
}
