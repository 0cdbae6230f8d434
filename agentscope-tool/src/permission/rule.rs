//! Permission rules.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::pattern::{PathPattern, PatternError};
use super::text::{self, RuleError, RuleFault};

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

impl fmt::Display for PermissionBehavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Passthrough => "passthrough",
        })
    }
}

/// A rule: what to do with the calls of one tool that it matches. A cheap handle.
///
/// Its text form is `Tool` for every call of the tool, or `Tool(content)`, where the tool says what the content means: a
/// path pattern, the beginning of a command.
///
/// ```
/// use agentscope_tool::{PermissionBehavior, PermissionRule};
///
/// let rule = PermissionRule::deny("Bash(git push:*)")?;
/// assert_eq!(rule.tool_name(), "Bash");
/// assert_eq!(rule.content(), Some("git push:*"));
/// assert_eq!(rule.behavior(), PermissionBehavior::Deny);
/// assert_eq!(rule.to_string(), "Bash(git push:*)");
///
/// let error = PermissionRule::allow("Edit(src/**").unwrap_err();
/// assert_eq!(error.to_string(), "rule `Edit(src/**`, character 12: the `)` at the end is missing");
/// # Ok::<(), agentscope_tool::RuleError>(())
/// ```
#[derive(Clone)]
pub struct PermissionRule(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    saved: Saved,
    /// The content as a path pattern, compiled when it is first wanted.
    pattern: OnceLock<Result<PathPattern, PatternError>>,
}

/// The rule's JSON; the first four fields are those of Python AgentScope.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Saved {
    tool_name: String,
    #[serde(default)]
    rule_content: Option<String>,
    behavior: PermissionBehavior,
    #[serde(default)]
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    anchor: Option<String>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

impl PermissionRule {
    /// A rule that allows what `text` (`Tool` or `Tool(content)`) names.
    ///
    /// # Errors
    /// When the text is no rule, or its path pattern is not valid.
    pub fn allow(text: &str) -> Result<Self, RuleError> {
        Self::parse(text, PermissionBehavior::Allow)
    }

    /// A rule that denies what `text` (`Tool` or `Tool(content)`) names.
    ///
    /// # Errors
    /// When the text is no rule, or its path pattern is not valid.
    pub fn deny(text: &str) -> Result<Self, RuleError> {
        Self::parse(text, PermissionBehavior::Deny)
    }

    /// A rule that asks about what `text` (`Tool` or `Tool(content)`) names.
    ///
    /// # Errors
    /// When the text is no rule, or its path pattern is not valid.
    pub fn ask(text: &str) -> Result<Self, RuleError> {
        Self::parse(text, PermissionBehavior::Ask)
    }

    /// A rule from its text form.
    ///
    /// # Errors
    /// When the text is no rule, its path pattern is not valid, or the behaviour is none that a rule can have.
    pub fn parse(text: &str, behavior: PermissionBehavior) -> Result<Self, RuleError> {
        let (tool_name, content) = text::split(text)?;
        let rule = Self::new(tool_name.to_owned(), content.map(ToOwned::to_owned), behavior);
        rule.check()?;
        Ok(rule)
    }

    /// A rule that matches every call of the tool.
    #[must_use]
    pub fn whole_tool(tool_name: impl Into<String>, behavior: PermissionBehavior) -> Self {
        Self::new(tool_name.into(), None, behavior)
    }

    fn new(tool_name: String, rule_content: Option<String>, behavior: PermissionBehavior) -> Self {
        Self::from_saved(Saved {
            tool_name,
            rule_content,
            behavior,
            source: String::new(),
            reason: None,
            anchor: None,
            other: Map::new(),
        })
    }

    fn from_saved(saved: Saved) -> Self {
        Self(Arc::new(Inner { saved, pattern: OnceLock::new() }))
    }

    /// The same rule for the calls that match `content` only.
    #[must_use]
    pub fn with_content(self, content: impl Into<String>) -> Self {
        self.with(|saved| saved.rule_content = Some(content.into()))
    }

    /// The same rule, saying where it comes from.
    #[must_use]
    pub fn with_source(self, source: impl Into<String>) -> Self {
        self.with(|saved| saved.source = source.into())
    }

    /// The same rule with a reason that is shown with its decisions.
    #[must_use]
    pub fn with_reason(self, reason: impl Into<String>) -> Self {
        self.with(|saved| saved.reason = Some(reason.into()))
    }

    /// The same rule, its relative path pattern starting at this directory. Without one it starts at each working
    /// directory and at the current directory.
    #[must_use]
    pub fn with_anchor(self, directory: impl Into<String>) -> Self {
        self.with(|saved| saved.anchor = Some(directory.into()))
    }

    fn with(mut self, change: impl FnOnce(&mut Saved)) -> Self {
        let inner = Arc::make_mut(&mut self.0);
        change(&mut inner.saved);
        inner.pattern = OnceLock::new();
        self
    }

    /// The tool's name.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        &self.0.saved.tool_name
    }

    /// What the tool is asked to match, in the tool's own terms; nothing matches every call.
    #[must_use]
    pub fn content(&self) -> Option<&str> {
        self.0.saved.rule_content.as_deref()
    }

    /// What the rule says.
    #[must_use]
    pub fn behavior(&self) -> PermissionBehavior {
        self.0.saved.behavior
    }

    /// Where the rule comes from, for people to read.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.0.saved.source
    }

    /// Why the rule is there, for people and models to read.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        self.0.saved.reason.as_deref()
    }

    /// The directory at which a relative path pattern starts.
    #[must_use]
    pub fn anchor(&self) -> Option<&str> {
        self.0.saved.anchor.as_deref()
    }

    /// The content as a path pattern; `None` without content.
    pub(super) fn pattern(&self) -> Option<Result<&PathPattern, &PatternError>> {
        let content = self.content()?;
        Some(self.0.pattern.get_or_init(|| PathPattern::parse(content)).as_ref())
    }

    /// Whether the rule is about paths, whichever tool touches them.
    pub(crate) fn speaks_about_paths(&self) -> bool {
        READ_TOOLS.contains(&self.tool_name()) || WRITE_TOOLS.contains(&self.tool_name())
    }

    /// Whether both handles are on the same rule.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// A number that no other rule has while this one lives.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }

    /// Compiles the rule, and says what is wrong with it.
    pub(super) fn check(&self) -> Result<(), RuleError> {
        self.check_saved()?;
        if self.names_paths()
            && let Some(Err(error)) = self.pattern()
        {
            return Err(self.error(error.position(), RuleFault::Pattern(error.clone())));
        }
        Ok(())
    }

    /// Whether the tool's rules are known to be path patterns, so that a bad one is reported when it is made.
    pub(super) fn names_paths(&self) -> bool {
        self.speaks_about_paths() || matches!(self.tool_name(), "Glob" | "Grep")
    }

    /// The checks without which a rule could mean more than it says.
    fn check_saved(&self) -> Result<(), RuleError> {
        if self.behavior() == PermissionBehavior::Passthrough {
            return Err(self.error(0, RuleFault::Passthrough));
        }
        if self.content().is_some_and(|content| content.trim().is_empty()) {
            return Err(self.error(0, RuleFault::EmptyContent { tool: self.tool_name().to_owned() }));
        }
        Ok(())
    }

    /// `byte` counts within the content.
    fn error(&self, byte: usize, fault: RuleFault) -> RuleError {
        let content = self.content().unwrap_or_default();
        let before = content.get(..byte).unwrap_or(content).chars().count();
        RuleError { rule: self.to_string(), position: self.tool_name().chars().count() + 2 + before, fault }
    }
}

/// The tools whose rules speak about paths that are read, whichever tool reads them.
pub(super) const READ_TOOLS: [&str; 1] = ["Read"];
/// The tools whose rules speak about paths that are written, whichever tool writes them.
pub(super) const WRITE_TOOLS: [&str; 2] = ["Write", "Edit"];

impl PartialEq for PermissionRule {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.0.saved == other.0.saved
    }
}

impl fmt::Display for PermissionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.content() {
            None => f.write_str(self.tool_name()),
            Some(content) => write!(f, "{}({content})", self.tool_name()),
        }
    }
}

impl fmt::Debug for PermissionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {self}", self.behavior())
    }
}

impl Serialize for PermissionRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.saved.serialize(serializer)
    }
}

/// A rule whose content is empty is refused: it would match every call. A path pattern that is not valid is no error
/// here, so that what another version saved can be loaded; it allows nothing then, and denies and asks about all.
impl<'de> Deserialize<'de> for PermissionRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rule = Self::from_saved(Saved::deserialize(deserializer)?);
        rule.check_saved().map_err(serde::de::Error::custom)?;
        Ok(rule)
    }
}
