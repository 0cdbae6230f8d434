//! What is written in a settings file.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::permission::context::{PermissionMode, ReadOnlyPolicy};

/// Permission settings: what an agent may do.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "Permission settings")]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    /// The schema of this file, for editors.
    #[serde(default, rename = "$schema")]
    #[expect(dead_code, reason = "it is for editors alone")]
    schema: Option<String>,
    /// How much is allowed without being asked about. Default: `default`.
    pub(super) mode: Option<PermissionMode>,
    /// Whether calls that only read are allowed by themselves. Default: `by_mode`.
    pub(super) read_only: Option<ReadOnly>,
    /// Directories in which edits may be allowed as a whole, beside the current one.
    #[serde(default)]
    pub(super) working_directories: Vec<String>,
    /// Rules for calls that may run.
    #[serde(default)]
    pub(super) allow: Vec<Rule>,
    /// Rules for calls that may not run.
    #[serde(default)]
    pub(super) deny: Vec<Rule>,
    /// Rules for calls that have to be confirmed.
    #[serde(default)]
    pub(super) ask: Vec<Rule>,
    /// Commands that only read, beside those that are known to. A tool that runs commands says how they are written.
    #[serde(default)]
    pub(super) read_only_commands: Vec<String>,
    /// Names of files that no call may write without a confirmation, beside the usual ones.
    pub(super) protected_files: Option<Names>,
    /// Names of directories in which no call may write without a confirmation, beside the usual ones.
    pub(super) protected_directories: Option<Names>,
    /// Whether this file may also allow more than the wider ones that it is merged into.
    #[serde(default)]
    pub(super) loosen: bool,
}

/// Whether calls that only read are allowed by themselves.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReadOnly {
    /// In every mode.
    Allow,
    /// In the modes that say so.
    ByMode,
}

impl From<ReadOnly> for ReadOnlyPolicy {
    fn from(written: ReadOnly) -> Self {
        match written {
            ReadOnly::Allow => Self::Always,
            ReadOnly::ByMode => Self::ByMode,
        }
    }
}

/// A rule.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Rule {
    /// `Tool`, or `Tool(content)`.
    Text(String),
    /// The same with more about it.
    Table(RuleTable),
}

/// A rule and what is to be known of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleTable {
    /// `Tool`, or `Tool(content)`.
    pub(super) rule: String,
    /// Why the rule is there; it is shown with its decisions.
    pub(super) reason: Option<String>,
    /// Calls that the rule has to match.
    #[serde(default, rename = "match")]
    pub(super) matching: Vec<Example>,
    /// Calls that the rule must not match.
    #[serde(default, rename = "no_match")]
    pub(super) others: Vec<Example>,
}

/// A call as an example.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Example {
    /// The first argument of the call that is a text: a path, a command.
    Text(String),
    /// All arguments of the call.
    Arguments(Map<String, Value>),
}

impl From<Example> for Value {
    fn from(example: Example) -> Self {
        match example {
            Example::Text(text) => text.into(),
            Example::Arguments(arguments) => arguments.into(),
        }
    }
}

/// Names to protect.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub(super) enum Names {
    /// These beside the usual ones.
    More(Vec<String>),
    /// These instead of the usual ones.
    Instead(Instead),
}

impl Names {
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::More(names) => names,
            Self::Instead(instead) => &instead.replace,
        }
    }
}

/// Names that stand for the usual ones.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Instead {
    /// The names; none to protect nothing.
    pub(super) replace: Vec<String>,
}

pub(super) fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().for_deserialize().into_generator();
    generator.into_root_schema_for::<File>().to_value()
}
