//! Rules and decisions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a rule or a decision says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionBehavior {
    /// It may run.
    Allow,
    /// It may not run.
    Deny,
    /// Somebody has to be asked.
    Ask,
    /// No opinion: the next step decides. Only decisions say this, never rules.
    Passthrough,
}

/// A rule: what to do with the calls of one tool that it matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PermissionRule {
    /// The tool's name.
    pub tool_name: String,
    /// What the tool is asked to match, in the tool's own terms (a path pattern, a command prefix); nothing matches
    /// every call.
    #[serde(default)]
    pub rule_content: Option<String>,
    /// What the rule says.
    pub behavior: PermissionBehavior,
    /// Where the rule comes from, for people to read.
    #[serde(default)]
    pub source: String,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl PermissionRule {
    /// A rule that matches every call of the tool.
    #[must_use]
    pub fn whole_tool(tool_name: impl Into<String>, behavior: PermissionBehavior) -> Self {
        Self { tool_name: tool_name.into(), rule_content: None, behavior, source: String::new(), other: Map::new() }
    }

    /// The same rule for the calls that match `content` only.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.rule_content = Some(content.into());
        self
    }

    /// The same rule, saying where it comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }
}

/// What was decided about a call, and why.
///
/// ```
/// use agentscope_tool::{PermissionBehavior, PermissionDecision};
///
/// let decision = PermissionDecision::ask("deploys to production").bypass_immune();
/// assert_eq!(decision.behavior, PermissionBehavior::Ask);
/// assert!(decision.bypass_immune);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PermissionDecision {
    /// The decision.
    pub behavior: PermissionBehavior,
    /// What the user or the model is told.
    pub message: String,
    /// What led to the decision: a rule, a mode, a check.
    #[serde(default)]
    pub decision_reason: Option<String>,
    /// Arguments to run the call with instead.
    #[serde(default)]
    pub updated_input: Option<Map<String, Value>>,
    /// Rules that would settle calls like this one.
    #[serde(default)]
    pub suggested_rules: Option<Vec<PermissionRule>>,
    /// Whether this ask is a safety check that no allow rule silences.
    #[serde(default)]
    pub bypass_immune: bool,
}

impl PermissionDecision {
    /// The call may run.
    #[must_use]
    pub fn allow(message: impl Into<String>) -> Self {
        Self::new(PermissionBehavior::Allow, message)
    }

    /// The call may not run.
    #[must_use]
    pub fn deny(message: impl Into<String>) -> Self {
        Self::new(PermissionBehavior::Deny, message)
    }

    /// Somebody has to be asked.
    #[must_use]
    pub fn ask(message: impl Into<String>) -> Self {
        Self::new(PermissionBehavior::Ask, message)
    }

    /// No opinion.
    #[must_use]
    pub fn passthrough() -> Self {
        Self::new(PermissionBehavior::Passthrough, "")
    }

    fn new(behavior: PermissionBehavior, message: impl Into<String>) -> Self {
        Self {
            behavior,
            message: message.into(),
            decision_reason: None,
            updated_input: None,
            suggested_rules: None,
            bypass_immune: false,
        }
    }

    /// Marks an ask as a safety check: no allow rule silences it.
    #[must_use]
    pub fn bypass_immune(mut self) -> Self {
        self.bypass_immune = true;
        self
    }

    /// Says what led to the decision.
    #[must_use]
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.decision_reason = Some(reason.into());
        self
    }
}
