//! What a call may use.

use std::any::{TypeId, type_name};
use std::fmt;
use std::sync::{Arc, OnceLock};

use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use crate::content::BlockId;
use crate::error::ToolError;
use crate::permission::PermissionEngine;
use crate::state::{AgentState, Extensions};

/// How far a running call is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How much is done, in units of the tool's choice; it only grows.
    pub done: f64,
    /// How much there is to do, if that is known.
    pub total: Option<f64>,
    /// What is being done, for people.
    pub message: Option<String>,
}

/// What receives the progress of calls.
pub type ProgressSink = Arc<dyn Fn(Progress) + Send + Sync>;

/// What one call may use: its id, the agent's state, the application's states, whether it was cancelled, and a way to
/// report progress. A cheap handle.
///
/// ```
/// use agentscope_tool::{Extensions, ToolContext};
///
/// let mut extensions = Extensions::new();
/// extensions.insert(String::from("a state"));
/// let cx = ToolContext::builder().call_id("call_1").extensions(extensions).build();
/// assert_eq!(cx.call_id(), "call_1");
/// assert_eq!(cx.state::<String>()?, "a state");
/// assert!(cx.state::<u8>().is_err());
/// # Ok::<(), agentscope_tool::ToolError>(())
/// ```
#[derive(Clone)]
pub struct ToolContext(Arc<Inner>);

struct Inner {
    call_id: Option<BlockId>,
    agent_state: AgentState,
    /// The agent's state behind a pointer, for those who ask for it by type.
    shared_agent_state: OnceLock<Arc<AgentState>>,
    /// `None` stands for an empty one.
    extensions: Option<Arc<Extensions>>,
    /// Made when it is first asked for: most calls never look.
    cancellation: OnceLock<CancellationToken>,
    progress: Option<ProgressSink>,
    /// What has to allow the call again if its arguments are changed on the way.
    guard: Option<PermissionEngine>,
}

impl ToolContext {
    /// Begins a context, for calling a tool outside of a toolkit.
    pub fn builder() -> ToolContextBuilder {
        ToolContextBuilder::default()
    }

    /// The id that the model gave the call; empty outside of a toolkit.
    #[must_use]
    pub fn call_id(&self) -> &str {
        self.0.call_id.as_ref().map_or("", BlockId::as_str)
    }

    /// The state of the conversation.
    #[must_use]
    pub fn agent_state(&self) -> &AgentState {
        &self.0.agent_state
    }

    /// The application's state of type `T`; [`AgentState`] is found here too.
    ///
    /// # Errors
    /// When there is none, which a toolkit rules out for the tools that it was built with.
    pub fn state<T: ?Sized + Send + Sync + 'static>(&self) -> Result<&T, ToolError> {
        self.find::<T>().map(|shared| &**shared)
    }

    /// The application's state of type `T`, to be kept.
    ///
    /// # Errors
    /// When there is none, which a toolkit rules out for the tools that it was built with.
    pub fn state_arc<T: ?Sized + Send + Sync + 'static>(&self) -> Result<Arc<T>, ToolError> {
        self.find::<T>().cloned()
    }

    fn find<T: ?Sized + Send + Sync + 'static>(&self) -> Result<&Arc<T>, ToolError> {
        // First of all, so that no value of the application's passes for the conversation's state.
        if TypeId::of::<T>() != TypeId::of::<AgentState>() {
            let missing = || ToolError::developer(format!("the context has no state `{}`", type_name::<T>()));
            return self.0.extensions.as_ref().and_then(|values| values.get::<T>()).ok_or_else(missing);
        }
        let agent_state = self.0.shared_agent_state.get_or_init(|| Arc::new(self.0.agent_state.clone()));
        let agent_state: &dyn std::any::Any = agent_state;
        agent_state.downcast_ref::<Arc<T>>().ok_or_else(|| ToolError::developer("the agent's state is of another type"))
    }

    /// Waits until the call is cancelled. A future that is dropped with the call needs no such thing; work elsewhere
    /// (a thread, a process on another machine) does.
    pub fn cancelled(&self) -> WaitForCancellationFuture<'_> {
        self.cancellation().cancelled()
    }

    /// Whether the call was cancelled. Blocking functions look here now and then.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancellation().is_cancelled()
    }

    /// The token that is cancelled with the call.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        self.0.cancellation.get_or_init(CancellationToken::new)
    }

    /// Reports how far the call is, to whoever wants to know.
    pub fn report_progress(&self, progress: Progress) {
        if let Some(sink) = &self.0.progress {
            sink(progress);
        }
    }

    /// The context of a call through a toolkit.
    pub(crate) fn of_call(id: BlockId, agent_state: AgentState, extensions: Option<Arc<Extensions>>) -> Self {
        Self(Arc::new(Inner {
            call_id: Some(id),
            agent_state,
            shared_agent_state: OnceLock::new(),
            extensions,
            cancellation: OnceLock::new(),
            progress: None,
            guard: None,
        }))
    }

    /// The id of the call, taken away if nobody else holds the context.
    pub(crate) fn take_call_id(&mut self) -> BlockId {
        match Arc::get_mut(&mut self.0) {
            Some(inner) => inner.call_id.take(),
            None => self.0.call_id.clone(),
        }
        .unwrap_or_default()
    }

    /// Sets the token, while nobody else holds the context.
    pub(crate) fn set_cancellation(&mut self, token: CancellationToken) {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.cancellation = OnceLock::from(token);
        }
    }

    /// Sets what receives the progress, while nobody else holds the context.
    pub(crate) fn set_progress(&mut self, sink: ProgressSink) {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.progress = Some(sink);
        }
    }

    /// Says what has to allow changed arguments, while nobody else holds the context.
    pub(crate) fn set_guard(&mut self, engine: PermissionEngine) {
        if let Some(inner) = Arc::get_mut(&mut self.0) {
            inner.guard = Some(engine);
        }
    }

    /// What has to allow changed arguments; nothing where the call needed no permission.
    pub(crate) fn guard(&self) -> Option<&PermissionEngine> {
        self.0.guard.as_ref()
    }

    /// A builder of a context that differs from this one in a few things.
    pub(crate) fn into_builder(self) -> ToolContextBuilder {
        ToolContextBuilder {
            call_id: self.0.call_id.clone(),
            agent_state: Some(self.0.agent_state.clone()),
            extensions: self.0.extensions.clone(),
            cancellation: self.0.cancellation.get().cloned(),
            progress: self.0.progress.clone(),
        }
    }

    /// Cancels what the call has left running elsewhere. Later questions find the token cancelled too.
    pub(crate) fn cancel(&self) {
        self.cancellation().cancel();
    }

    /// Cancels only if somebody holds the token, so that a call that nobody asked costs nothing.
    pub(crate) fn cancel_if_watched(&self) {
        if Arc::strong_count(&self.0) > 1 || self.0.cancellation.get().is_some() {
            self.cancel();
        }
    }
}

impl Default for ToolContext {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("call_id", &self.call_id())
            .field("extensions", self.0.extensions.as_deref().unwrap_or(&Extensions::new()))
            .finish_non_exhaustive()
    }
}

/// Makes a [`ToolContext`].
#[derive(Default)]
#[must_use]
pub struct ToolContextBuilder {
    call_id: Option<BlockId>,
    agent_state: Option<AgentState>,
    extensions: Option<Arc<Extensions>>,
    cancellation: Option<CancellationToken>,
    progress: Option<ProgressSink>,
}

impl ToolContextBuilder {
    /// The id of the call.
    pub fn call_id(mut self, id: impl Into<String>) -> Self {
        self.call_id = Some(BlockId::from(id.into()));
        self
    }

    /// The state of the conversation; a new one if it is not given.
    pub fn agent_state(mut self, state: &AgentState) -> Self {
        self.agent_state = Some(state.clone());
        self
    }

    /// The states of the application.
    pub fn extensions(mut self, extensions: impl Into<Arc<Extensions>>) -> Self {
        self.extensions = Some(extensions.into());
        self
    }

    /// The token that cancels the call.
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancellation = Some(token);
        self
    }

    /// What receives the call's progress.
    pub fn progress(mut self, sink: ProgressSink) -> Self {
        self.progress = Some(sink);
        self
    }

    /// The context.
    #[must_use]
    pub fn build(self) -> ToolContext {
        ToolContext(Arc::new(Inner {
            call_id: self.call_id,
            agent_state: self.agent_state.unwrap_or_default(),
            shared_agent_state: OnceLock::new(),
            extensions: self.extensions,
            cancellation: self.cancellation.map(OnceLock::from).unwrap_or_default(),
            progress: self.progress,
            guard: None,
        }))
    }
}

impl fmt::Debug for ToolContextBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContextBuilder").field("call_id", &self.call_id).finish_non_exhaustive()
    }
}
