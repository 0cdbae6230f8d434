//! The mode and the rules of a conversation.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::decision::PermissionRule;

/// How much a conversation is allowed without being asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermissionMode {
    /// Whatever no rule allows is asked about.
    #[default]
    Default,
    /// File edits inside the working directories are allowed.
    AcceptEdits,
    /// Only what reads is allowed.
    Explore,
    /// Everything is allowed that no rule denies or asks about.
    Bypass,
    /// Nobody is there to ask: whatever would be asked about is denied.
    DontAsk,
}

/// Whether a call that only reads is allowed by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadOnlyPolicy {
    /// In the modes that say so: `explore` and `accept_edits`.
    #[default]
    ByMode,
    /// In every mode.
    Always,
}

/// A directory in which edits may be allowed as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkingDirectory {
    /// The directory's path.
    pub path: String,
    /// Where the entry comes from, for people to read.
    #[serde(default)]
    pub source: String,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The permission mode and rules of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PermissionContext {
    /// The mode.
    pub mode: PermissionMode,
    /// The working directories by path.
    pub working_directories: IndexMap<String, WorkingDirectory>,
    /// The rules that allow, by tool name.
    pub allow_rules: IndexMap<String, Vec<PermissionRule>>,
    /// The rules that deny, by tool name.
    pub deny_rules: IndexMap<String, Vec<PermissionRule>>,
    /// The rules that ask, by tool name.
    pub ask_rules: IndexMap<String, Vec<PermissionRule>>,
    /// Whether a call that only reads is allowed by itself. Left out of the JSON when it is the default.
    #[serde(skip_serializing_if = "is_default")]
    pub read_only: ReadOnlyPolicy,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

fn is_default(policy: &ReadOnlyPolicy) -> bool {
    *policy == ReadOnlyPolicy::default()
}
