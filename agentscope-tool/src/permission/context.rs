//! The mode and the rules of a conversation.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::footprint::Footprint;
use super::protected::ProtectedPaths;
use super::rule::{PermissionBehavior, PermissionRule};
use super::text::RuleError;

/// How much a conversation is allowed without being asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
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

impl fmt::Display for PermissionMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::AcceptEdits => "accept_edits",
            Self::Explore => "explore",
            Self::Bypass => "bypass",
            Self::DontAsk => "dont_ask",
        })
    }
}

/// Whether a call that only reads is allowed by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadOnlyPolicy {
    /// In the modes that say so: `explore`, `accept_edits` and `bypass`.
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

impl WorkingDirectory {
    /// A working directory.
    #[must_use]
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), source: String::new(), other: Map::new() }
    }

    /// The same, saying where the entry comes from.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }
}

/// The permission mode and rules of a conversation: a cheap handle, copied when it is changed.
///
/// Rules are compiled when they are added. Serialised, it is the permission context that Python AgentScope saves.
///
/// ```
/// use agentscope_tool::{PermissionContext, PermissionMode};
///
/// let context = PermissionContext::new()
///     .with_mode(PermissionMode::AcceptEdits)
///     .with_working_directory("/project")
///     .allow("Bash(npm run:*)")?
///     .deny("Read(**/.env)")?;
/// assert_eq!(context.rules().count(), 2);
/// # Ok::<(), agentscope_tool::RuleError>(())
/// ```
#[derive(Clone, Default)]
pub struct PermissionContext {
    shared: Arc<Shared>,
    /// What the call touches that is being checked.
    footprint: Option<Arc<Footprint>>,
}

type Rules = IndexMap<String, Vec<PermissionRule>>;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Shared {
    mode: PermissionMode,
    working_directories: IndexMap<String, WorkingDirectory>,
    allow_rules: Rules,
    deny_rules: Rules,
    ask_rules: Rules,
    // What follows is not in Python AgentScope's contexts, and left out while it says nothing.
    #[serde(skip_serializing_if = "is_default")]
    read_only: ReadOnlyPolicy,
    #[serde(skip_serializing_if = "is_default")]
    protected_paths: ProtectedPaths,
    #[serde(skip_serializing_if = "Option::is_none")]
    closed: Option<String>,
    #[serde(flatten)]
    other: Map<String, Value>,
    #[serde(skip)]
    seen: Seen,
}

/// Whether somebody has looked a context over. It is no part of what the context says.
#[derive(Debug, Default)]
struct Seen(AtomicBool);

impl Clone for Seen {
    /// A copy is made to be changed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Seen {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl PermissionContext {
    /// The default mode, without rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A context in which every call is denied, for when it is not known what may run: a settings file that cannot be
    /// read, for example. No rule and no mode opens it again.
    #[must_use]
    pub fn closed(reason: impl fmt::Display) -> Self {
        // The mode is for programs that do not know what `closed` means.
        let shared = Shared { mode: PermissionMode::DontAsk, closed: Some(reason.to_string()), ..Shared::default() };
        Self { shared: Arc::new(shared), footprint: None }
    }

    /// Why every call is denied, if so.
    #[must_use]
    pub fn closed_because(&self) -> Option<&str> {
        self.shared.closed.as_deref()
    }

    /// The mode.
    #[must_use]
    pub fn mode(&self) -> PermissionMode {
        self.shared.mode
    }

    /// Changes the mode.
    pub fn set_mode(&mut self, mode: PermissionMode) {
        self.shared_mut().mode = mode;
    }

    /// The same in this mode.
    #[must_use]
    pub fn with_mode(mut self, mode: PermissionMode) -> Self {
        self.set_mode(mode);
        self
    }

    /// Whether a call that only reads is allowed by itself.
    #[must_use]
    pub fn read_only_policy(&self) -> ReadOnlyPolicy {
        self.shared.read_only
    }

    /// The same with this policy for calls that only read.
    #[must_use]
    pub fn with_read_only_policy(mut self, policy: ReadOnlyPolicy) -> Self {
        self.shared_mut().read_only = policy;
        self
    }

    /// The working directories beside the current one.
    pub fn working_directories(&self) -> impl Iterator<Item = &WorkingDirectory> {
        self.shared.working_directories.values()
    }

    /// Adds a working directory, or replaces the entry with the same path.
    pub fn add_working_directory(&mut self, directory: WorkingDirectory) {
        self.shared_mut().working_directories.insert(directory.path.clone(), directory);
    }

    /// The same with one more working directory.
    #[must_use]
    pub fn with_working_directory(mut self, path: impl Into<String>) -> Self {
        self.add_working_directory(WorkingDirectory::new(path));
        self
    }

    /// Which paths are too sensitive for a call to write without a confirmation.
    #[must_use]
    pub fn protected_paths(&self) -> &ProtectedPaths {
        &self.shared.protected_paths
    }

    /// The same with these protected paths.
    #[must_use]
    pub fn with_protected_paths(mut self, protected: ProtectedPaths) -> Self {
        self.shared_mut().protected_paths = protected;
        self
    }

    /// All rules: those that deny, those that ask, those that allow.
    pub fn rules(&self) -> impl Iterator<Item = &PermissionRule> {
        let shared = &*self.shared;
        [&shared.deny_rules, &shared.ask_rules, &shared.allow_rules].into_iter().flat_map(IndexMap::values).flatten()
    }

    /// The rules of one behaviour for one tool, in the order in which they were added.
    #[must_use]
    pub fn rules_of(&self, behavior: PermissionBehavior, tool: &str) -> &[PermissionRule] {
        let rules = match behavior {
            PermissionBehavior::Allow => &self.shared.allow_rules,
            PermissionBehavior::Deny => &self.shared.deny_rules,
            PermissionBehavior::Ask => &self.shared.ask_rules,
            PermissionBehavior::Passthrough => return &[],
        };
        if rules.is_empty() { &[] } else { rules.get(tool).map_or(&[], Vec::as_slice) }
    }

    /// Adds a rule, for example one that a decision suggested.
    ///
    /// # Errors
    /// When the rule could not match what it says: its content is empty, or no valid path pattern where it has to be
    /// one. The context is unchanged then.
    pub fn add_rule(&mut self, rule: PermissionRule) -> Result<(), RuleError> {
        rule.check()?;
        self.add_checked_rule(rule);
        Ok(())
    }

    pub(super) fn add_checked_rule(&mut self, rule: PermissionRule) {
        if let Some(rules) = self.rules_mut(rule.behavior()) {
            rules.entry(rule.tool_name().to_owned()).or_default().push(rule);
        }
    }

    /// Takes a rule away, and says whether it was there.
    pub fn remove_rule(&mut self, rule: &PermissionRule) -> bool {
        let Some(rules) = self.rules_mut(rule.behavior()) else { return false };
        let Some(of_tool) = rules.get_mut(rule.tool_name()) else { return false };
        let Some(index) = of_tool.iter().position(|other| other == rule) else { return false };
        of_tool.remove(index);
        if of_tool.is_empty() {
            rules.shift_remove(rule.tool_name());
        }
        true
    }

    /// The same, allowing what `text` (`Tool` or `Tool(content)`) names.
    ///
    /// # Errors
    /// When the text is no rule.
    pub fn allow(self, text: &str) -> Result<Self, RuleError> {
        self.with_rule(PermissionRule::allow(text)?)
    }

    /// The same, denying what `text` (`Tool` or `Tool(content)`) names.
    ///
    /// # Errors
    /// When the text is no rule.
    pub fn deny(self, text: &str) -> Result<Self, RuleError> {
        self.with_rule(PermissionRule::deny(text)?)
    }

    /// The same, asking about what `text` (`Tool` or `Tool(content)`) names.
    ///
    /// # Errors
    /// When the text is no rule.
    pub fn ask(self, text: &str) -> Result<Self, RuleError> {
        self.with_rule(PermissionRule::ask(text)?)
    }

    /// The same with one more rule.
    ///
    /// # Errors
    /// As [`add_rule`](Self::add_rule).
    pub fn with_rule(mut self, rule: PermissionRule) -> Result<Self, RuleError> {
        self.add_rule(rule)?;
        Ok(self)
    }

    /// What the call touches that is being checked, its paths resolved. It is there for a tool's
    /// `check_permissions`; elsewhere it is empty.
    #[must_use]
    pub fn footprint(&self) -> &Footprint {
        static NOTHING: Footprint = Footprint::new();
        self.footprint.as_deref().unwrap_or(&NOTHING)
    }

    /// This context for the check of a call that touches these things.
    pub(super) fn for_call(&self, footprint: Arc<Footprint>) -> Self {
        Self { shared: Arc::clone(&self.shared), footprint: Some(footprint) }
    }

    /// Whether this is the first time that somebody asks, since the context was last changed.
    pub(crate) fn is_new(&self) -> bool {
        !self.shared.seen.0.load(Ordering::Relaxed) && !self.shared.seen.0.swap(true, Ordering::Relaxed)
    }

    fn shared_mut(&mut self) -> &mut Shared {
        Arc::make_mut(&mut self.shared)
    }

    fn rules_mut(&mut self, behavior: PermissionBehavior) -> Option<&mut Rules> {
        let shared = self.shared_mut();
        match behavior {
            PermissionBehavior::Allow => Some(&mut shared.allow_rules),
            PermissionBehavior::Deny => Some(&mut shared.deny_rules),
            PermissionBehavior::Ask => Some(&mut shared.ask_rules),
            PermissionBehavior::Passthrough => None,
        }
    }
}

impl From<PermissionMode> for PermissionContext {
    fn from(mode: PermissionMode) -> Self {
        Self::new().with_mode(mode)
    }
}

impl PartialEq for PermissionContext {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared) || self.shared == other.shared
    }
}

impl fmt::Debug for PermissionContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.fmt(f)
    }
}

impl Serialize for PermissionContext {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.shared.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for PermissionContext {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let shared = Shared::deserialize(deserializer)?;
        for (list, behavior) in [
            (&shared.allow_rules, PermissionBehavior::Allow),
            (&shared.deny_rules, PermissionBehavior::Deny),
            (&shared.ask_rules, PermissionBehavior::Ask),
        ] {
            // Looked up by the key and by the list, a rule that says otherwise would be another one than it seems.
            let misplaced = |(tool, rules): (&String, &Vec<PermissionRule>)| {
                let rule = rules.iter().find(|rule| rule.tool_name() != tool || rule.behavior() != behavior)?;
                Some(format!("the rule `{rule:?}` does not belong under `{tool}` in `{behavior}_rules`"))
            };
            if let Some(fault) = list.iter().find_map(misplaced) {
                return Err(serde::de::Error::custom(fault));
            }
        }
        Ok(Self { shared: Arc::new(shared), footprint: None })
    }
}
