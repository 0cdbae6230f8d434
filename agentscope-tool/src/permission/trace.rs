//! How a decision came about.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::rule::{PermissionBehavior, PermissionRule};

/// The steps that were asked about a call, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PermissionTrace(pub(super) Vec<TraceStep>);

impl PermissionTrace {
    /// The steps in the order in which they were asked. The last one decided.
    #[must_use]
    pub fn steps(&self) -> &[TraceStep] {
        &self.0
    }
}

/// The steps of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PermissionStep {
    /// Whether the context is closed, or the call is none that could run.
    Entry,
    /// The rules that deny.
    DenyRules,
    /// The rules that ask.
    AskRules,
    /// Whether the call only reads.
    ReadOnly,
    /// Whether the call writes to a protected path.
    ProtectedPaths,
    /// What the tool itself says.
    Tool,
    /// The rules that allow.
    AllowRules,
    /// What the mode says of the rest.
    Mode,
}

impl PermissionStep {
    fn title(self) -> &'static str {
        match self {
            Self::Entry => "call",
            Self::DenyRules => "deny rules",
            Self::AskRules => "ask rules",
            Self::ReadOnly => "read-only",
            Self::ProtectedPaths => "protected paths",
            Self::Tool => "tool",
            Self::AllowRules => "allow rules",
            Self::Mode => "mode",
        }
    }
}

/// One step of a check and what it said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TraceStep {
    /// Which step.
    pub step: PermissionStep,
    /// What it decided; nothing where the next step was asked.
    pub decided: Option<PermissionBehavior>,
    /// The rule that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<PermissionRule>,
    /// The part of the call that the rule or the check is about: a path, a command, a host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// What the step found, in words.
    pub note: Cow<'static, str>,
}

impl TraceStep {
    pub(super) fn new(
        step: PermissionStep,
        decided: Option<PermissionBehavior>,
        note: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { step, decided, rule: None, part: None, note: note.into() }
    }
}

impl fmt::Display for TraceStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.step.title())?;
        if let Some(rule) = &self.rule {
            write!(f, "`{rule}`")?;
            if !rule.source().is_empty() {
                write!(f, " from {}", rule.source())?;
            }
            f.write_str(" ")?;
        }
        f.write_str(&self.note)?;
        if let Some(part) = &self.part {
            write!(f, " `{}`", part.escape_debug())?;
        }
        if let Some(reason) = self.rule.as_ref().and_then(PermissionRule::reason) {
            write!(f, " ({reason})")?;
        }
        match self.decided {
            Some(behavior) => write!(f, " -> {behavior}"),
            None => Ok(()),
        }
    }
}
