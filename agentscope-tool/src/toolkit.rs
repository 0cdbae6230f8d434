//! A set of tools, and calls to them.

mod builder;
mod call;
mod group;
mod registry;
mod render;
mod reset_tools;
mod rules;
mod schema;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, RwLock, RwLockReadGuard};

use serde_json::Value;

pub use builder::{ToolkitBuilder, ToolkitError, ToolkitFault};
pub use call::{CallStream, ToolCall};
pub use group::{BASIC_GROUP, GroupInfo, ToolGroup};
pub use reset_tools::RESET_TOOLS;
pub use rules::{BrokenExample, UnknownTool};

use crate::error::ToolError;
use crate::permission::{PermissionContext, PermissionDecision, PermissionSettings, PermissionStep, refused};
use crate::skill::{Skill, visible};
use crate::state::AgentState;
use crate::tool::{IntoTool, Tool, ToolSpec};
use call::Guard;
use registry::{Candidate, Entry, Registry};

/// A set of tools that a model can call: a cheap handle; its clones are the same toolkit.
///
/// Each call works on the tools as they are when it is made, so adding and removing tools disturbs no running call.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// /// Add two numbers.
/// #[tool(read_only)]
/// async fn add(/** The first. */ a: i64, /** The second. */ b: i64) -> i64 { a + b }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), ToolkitError> {
/// let toolkit = Toolkit::builder().tool(Add).build()?;
/// let state = AgentState::new().with_permissions(PermissionMode::Explore);      // what only reads may run
///
/// let schemas = toolkit.schemas(&state);                    // what the model is shown
/// assert_eq!(schemas[0]["function"]["name"], "add");
///
/// let call = ToolCall::new("call_1", "add", r#"{"a": 1, "b": 2}"#);       // what the model answers
/// let response = toolkit.call(call, &state).response().await;
/// assert_eq!(response.text(), "3");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Toolkit(Arc<RwLock<Arc<Registry>>>);

impl Toolkit {
    /// Begins a toolkit.
    pub fn builder() -> ToolkitBuilder {
        ToolkitBuilder::default()
    }

    /// What the model is shown of each tool, in the function-calling form
    /// `{"type":"function","function":{"name","description","parameters"}}`, in order of registration.
    #[must_use]
    pub fn schemas(&self, state: &AgentState) -> Vec<Value> {
        self.snapshot().active(state).map(|(_, entry)| schema::function(entry.spec())).collect()
    }

    /// What each tool says of itself, in order of registration.
    #[must_use]
    pub fn specs(&self, state: &AgentState) -> Vec<ToolSpec> {
        self.snapshot().active(state).map(|(_, entry)| entry.spec().clone()).collect()
    }

    /// The tool of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.snapshot().get(name).map(|entry| Arc::clone(entry.tool()))
    }

    /// What the tool of this name says of itself, with the description that its configuration gives it.
    #[must_use]
    pub fn spec(&self, name: &str) -> Option<ToolSpec> {
        self.snapshot().get(name).map(|entry| entry.spec().clone())
    }

    /// Adds a tool for the calls to come.
    ///
    /// # Errors
    /// When there is a tool of this name already, when the tool's spec has faults, or when it needs a state that the
    /// toolkit does not have.
    pub fn add<M>(&self, tool: impl IntoTool<M>) -> Result<(), ToolkitError> {
        self.insert(tool.into_tool(), None)
    }

    /// Adds a tool to a group, for the calls to come.
    ///
    /// # Errors
    /// As for [`add`](Self::add), and when there is no such group.
    pub fn add_to<M>(&self, group: &str, tool: impl IntoTool<M>) -> Result<(), ToolkitError> {
        self.insert(tool.into_tool(), (group != BASIC_GROUP).then(|| group.into()))
    }

    fn insert(&self, tool: Arc<dyn Tool>, group: Option<Arc<str>>) -> Result<(), ToolkitError> {
        // Held until the lock is free, should the toolkit not take it: its `Drop` may want the toolkit too.
        let candidate = Candidate::new(Arc::clone(&tool), group);
        let mut current = self.0.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut next = Registry::clone(&current);
        if let Err(faults) = next.insert(candidate) {
            drop(current);
            return Err(ToolkitError { faults });
        }
        *current = Arc::new(next);
        Ok(())
    }

    /// Takes a tool away from the calls to come and gives it back, if there is one of this name.
    pub fn remove(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let mut current = self.0.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut next = Registry::clone(&current);
        let removed = next.remove(name)?;
        *current = Arc::new(next);
        Some(Arc::clone(removed.tool()))
    }

    /// Calls a tool if it may run: by the mode and the rules of the state's [permissions](AgentState::permissions) and
    /// by what the tool itself says. A call that is denied, or that somebody would have to be asked about, ends as
    /// [`Denied`](crate::ToolResultState::Denied); [`PermissionDecision::of`] finds the decision in its response.
    ///
    /// Whatever else goes wrong (no such tool, arguments that are not valid, a tool that fails or panics) is part of the
    /// result too, for the model to read.
    ///
    /// Nothing happens before the stream is polled; it owns what it needs and may be spawned. Dropping it stops the
    /// call.
    pub fn call(&self, call: ToolCall, state: &AgentState) -> CallStream {
        CallStream::new(&self.current(), call, state.clone(), Guard::Engine)
    }

    /// Calls a tool without asking whether it may run: for programs that have decided about it themselves, for example
    /// after a person has confirmed what [`check`](Self::check) asked about. Otherwise as [`call`](Self::call).
    pub fn call_unchecked(&self, call: ToolCall, state: &AgentState) -> CallStream {
        CallStream::new(&self.current(), call, state.clone(), Guard::None)
    }

    /// Decides whether a call may run, without running it. A call that could not run at all (no such tool, arguments
    /// that are not valid) is denied.
    pub async fn check(&self, call: &ToolCall, state: &AgentState) -> PermissionDecision {
        let registry = self.snapshot();
        let resolved = catch_unwind(AssertUnwindSafe(|| registry.resolve(&call.name, &call.input, state)));
        match resolved.unwrap_or_else(|panic| Err(ToolError::panicked(&*panic))) {
            Ok((tool, input)) => registry.engine(state).check(&*tool, &input).await,
            Err(error) => refused(PermissionStep::Entry, &error.agent_message()),
        }
    }

    /// The rules of a context that are for tools which the toolkit does not have, misspelt perhaps. They are logged as
    /// warnings, too, when a context is first used.
    #[must_use]
    pub fn unknown_tools(&self, permissions: &PermissionContext) -> Vec<UnknownTool> {
        self.snapshot().unknown_tools(permissions)
    }

    /// The examples of a settings file that do not hold: rules that do not match what they have to, or match what they
    /// must not, as the tools themselves see it. Rules for tools that the toolkit does not have are passed over.
    ///
    /// ```
    /// use agentscope_tool::PermissionSettings;
    /// use agentscope_tool::prelude::*;
    ///
    /// /// Delete a branch.
    /// #[tool(destructive)]
    /// async fn delete_branch(/** The branch. */ name: String) -> String { name }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let toolkit = Toolkit::builder().tool(DeleteBranch).build()?;
    /// let settings = PermissionSettings::from_toml(
    ///     r#"deny = [{ rule = "delete_branch(main)", match = ["main"] }]"#,
    ///     "/project",
    /// )?;
    /// let broken = toolkit.check_examples(&settings).await;
    /// assert!(broken[0].to_string().contains("does not match its example"));   // the tool knows no contents of rules
    /// # Ok(()) }
    /// ```
    pub async fn check_examples(&self, settings: &PermissionSettings) -> Vec<BrokenExample> {
        self.snapshot().broken_examples(settings).await
    }

    /// What the groups say of themselves, in order of registration; without the one that is always active.
    #[must_use]
    pub fn groups(&self) -> Arc<[GroupInfo]> {
        Arc::clone(&self.current().frame().groups)
    }

    /// The skills that a conversation sees: the basic ones and those of active groups.
    pub async fn skills(&self, state: &AgentState) -> Vec<Skill> {
        visible(&self.snapshot().frame().skills, state).await
    }

    /// What to tell the model about the skills that it can read with the tool `Skill`, for the system prompt. Nothing when
    /// there are none. What skills say of themselves is escaped.
    pub async fn skill_instructions(&self, state: &AgentState) -> Option<String> {
        let registry = self.snapshot();
        let skills = visible(&registry.frame().skills, state).await;
        (!skills.is_empty()).then(|| (registry.frame().skills_text)(&skills))
    }

    fn snapshot(&self) -> Arc<Registry> {
        Arc::clone(&self.current())
    }

    /// The tools as they are now, which nobody can change meanwhile.
    fn current(&self) -> RwLockReadGuard<'_, Arc<Registry>> {
        self.0.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl From<Registry> for Toolkit {
    fn from(registry: Registry) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(registry))))
    }
}

impl Entry {
    /// What the model is shown: the tool's own spec, or the one that its configuration describes.
    fn spec(&self) -> &ToolSpec {
        self.described().unwrap_or_else(|| self.tool().spec())
    }
}
