//! Decisions.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rule::{PermissionBehavior, PermissionRule};
use super::trace::PermissionTrace;
use crate::content::{ToolChunk, ToolResponse, ToolResultState};

/// The metadata key under which a response carries the decision by which its call did not run.
const METADATA: &str = "permission_decision";

/// What was decided about a call, and why.
///
/// Its JSON is that of Python AgentScope; the trace, which that does not have, is left out.
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
    /// Arguments to run the call with instead. The engine decides about them as about any others before they count.
    #[serde(default)]
    pub updated_input: Option<Map<String, Value>>,
    /// Rules that would settle calls like this one.
    #[serde(default)]
    pub suggested_rules: Option<Vec<PermissionRule>>,
    /// Whether this ask is a safety check that no allow rule silences.
    #[serde(default)]
    pub bypass_immune: bool,
    /// Which steps were asked, in order, and what each said. Empty in what a tool says.
    #[serde(skip)]
    pub trace: PermissionTrace,
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

    pub(super) fn new(behavior: PermissionBehavior, message: impl Into<String>) -> Self {
        Self {
            behavior,
            message: message.into(),
            decision_reason: None,
            updated_input: None,
            suggested_rules: None,
            bypass_immune: false,
            trace: PermissionTrace::default(),
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

    /// The same for other arguments than those of the call.
    #[must_use]
    pub fn with_updated_input(mut self, arguments: Map<String, Value>) -> Self {
        self.updated_input = Some(arguments);
        self
    }

    /// Whether the call may run.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.behavior == PermissionBehavior::Allow
    }

    /// The decision that a response of a guarded call carries: why it ended as denied, with the trace.
    #[must_use]
    pub fn of(response: &ToolResponse) -> Option<Self> {
        let saved = response.metadata.get(METADATA)?;
        let mut decision = Self::deserialize(saved).ok()?;
        // A response of another program's carries none.
        let trace = saved.get("trace").and_then(|trace| PermissionTrace::deserialize(trace).ok());
        decision.trace = trace.unwrap_or_default();
        Some(decision)
    }

    /// Takes away what a tool passes off as a decision: whoever is asked about it would believe what it suggests.
    pub(crate) fn forbid_in(chunk: &mut ToolChunk) {
        if !chunk.metadata.is_empty() {
            chunk.metadata.shift_remove(METADATA);
        }
    }

    /// What the model reads when a call does not run.
    pub(crate) fn denied_text(&self) -> String {
        match self.behavior {
            PermissionBehavior::Ask => format!("Permission required, so the call was not run: {}", self.message),
            _ => format!("Permission denied, so the call was not run: {}", self.message),
        }
    }

    /// The result of a call that does not run.
    pub(crate) fn denied_chunk(&self) -> ToolChunk {
        let mut chunk = ToolChunk::text(self.denied_text()).with_state(ToolResultState::Denied);
        let trace = serde_json::to_value(&self.trace);
        if let (Ok(Value::Object(mut decision)), Ok(trace)) = (serde_json::to_value(self), trace) {
            decision.insert("trace".into(), trace);
            chunk = chunk.with_metadata(METADATA, decision);
        }
        chunk
    }

    /// The decision and how it came about, for people: a line for the decision, one for each step, and one for each
    /// suggested rule.
    #[must_use]
    pub fn explain(&self) -> String {
        let mut text = format!("{}: {}", self.behavior, self.message);
        if self.bypass_immune {
            text.push_str(" (a safety check: no allow rule silences it)");
        }
        for (index, step) in self.trace.steps().iter().enumerate() {
            text.push_str(&format!("\n  {}. {step}", index + 1));
        }
        for rule in self.suggested_rules.iter().flatten() {
            text.push_str(&format!("\n  suggested rule: {} {rule}", rule.behavior()));
        }
        text
    }
}
