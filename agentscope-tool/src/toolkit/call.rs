//! A call in progress.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::{FutureExt as _, Stream, StreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use super::registry::{Registry, Runnable};
use crate::content::{AppendChunkError, ToolChunk, ToolResponse, ToolResultState};
use crate::error::ToolError;
use crate::middleware::unlayered;
use crate::output::ToolStream;
use crate::permission::{PermissionDecision, PermissionEngine};
use crate::state::AgentState;
use crate::tool::{Arguments, ProgressSink, Tool, ToolContext, ToolInput};

/// A call as a model makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The id by which the result is brought back to the call.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them: JSON text, or nearly.
    #[serde(default)]
    pub input: String,
}

impl ToolCall {
    /// A call.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, input: impl Into<String>) -> Self {
        Self { id: id.into(), name: name.into(), input: input.into() }
    }

    /// A call whose arguments a provider has parsed already.
    #[must_use]
    pub fn from_value(id: impl Into<String>, name: impl Into<String>, arguments: &Value) -> Self {
        Self::new(id, name, arguments.to_string())
    }
}

/// A call in progress: a stream of chunks. Failures arrive as a chunk with the state
/// [`Error`](ToolResultState::Error), cancelling as one with [`Interrupted`](ToolResultState::Interrupted).
///
/// It owns what it needs and may be spawned. Nothing happens before it is polled, and dropping it stops the call.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use futures_util::StreamExt as _;
///
/// /// Count down.
/// #[tool(read_only)]
/// fn count_down(/** From where. */ from: u8) -> impl Stream<Item = String> + Send {
///     futures_util::stream::iter((1..=from).rev()).map(|n| format!("{n} "))
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), ToolkitError> {
/// let toolkit = Toolkit::builder().tool(CountDown).build()?;
/// let state = AgentState::new().with_permissions(PermissionMode::Explore);
/// let mut call = toolkit.call(ToolCall::new("1", "count_down", r#"{"from": 3}"#), &state);
///
/// let first = call.next().await.map(|chunk| chunk.joined_text());
/// assert_eq!(first.as_deref(), Some("3 "));
/// assert_eq!(call.response().await.text(), "3 2 1 ");              // the whole, what was taken before included
/// # Ok(()) }
/// ```
#[must_use = "nothing happens before the stream is polled"]
pub struct CallStream {
    phase: Phase,
    callee: Callee,
    cx: ToolContext,
    /// What has come so far, once something has.
    response: Option<ToolResponse>,
    /// The tokens that cancel the call.
    cancelled: Vec<Pin<Box<WaitForCancellationFutureOwned>>>,
}

enum Phase {
    /// Not polled yet.
    Ready(Target),
    /// Whether it may run is being decided.
    Checking {
        settled: Pin<Box<dyn Future<Output = (PermissionDecision, ToolInput)> + Send>>,
        tool: Arc<dyn Tool>,
    },
    Running(ToolStream),
    Over,
}

/// Who was called, for the log.
enum Callee {
    Named(String),
    Tool(Arc<dyn Tool>),
}

impl Callee {
    fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Tool(tool) => tool.name(),
        }
    }
}

/// What is to be called.
enum Target {
    /// To be run if the engine allows it, or not there at all.
    Named {
        registry: Arc<Registry>,
        input: String,
    },
    Tool {
        tool: Arc<dyn Tool>,
        arguments: Arguments,
    },
}

/// Whether a call needs a permission.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// It runs if the engine allows it.
    Engine,
    /// It runs.
    None,
}

impl CallStream {
    pub(super) fn new(registry: &Arc<Registry>, call: ToolCall, state: AgentState, guard: Guard) -> Self {
        let target = match registry.find(&call.name, &state) {
            // The tool is all that is needed of the registry.
            Ok(entry) if guard == Guard::None => {
                Target::Tool { tool: Arc::clone(entry.runs()), arguments: Arguments::Text(call.input) }
            }
            _ => Target::Named { registry: Arc::clone(registry), input: call.input },
        };
        let cx = ToolContext::of_call(call.id.into(), state, registry.extensions());
        Self::ready(target, Callee::Named(call.name), cx)
    }

    pub(crate) fn invoke(tool: Arc<dyn Tool>, arguments: Arguments, cx: ToolContext) -> Self {
        // The callee gets a token of its own: it is cancelled with the caller, but its end is not the caller's.
        let token = cx.cancellation().clone();
        let callee = Callee::Tool(Arc::clone(&tool));
        Self::ready(Target::Tool { tool, arguments }, callee, cx.into_builder().build()).cancel_with(token)
    }

    fn ready(target: Target, callee: Callee, cx: ToolContext) -> Self {
        Self { phase: Phase::Ready(target), callee, cx, response: None, cancelled: Vec::new() }
    }

    /// Cancels the call when the token is cancelled: the work stops, and the call ends as interrupted. Any of several
    /// tokens cancels it.
    pub fn cancel_with(mut self, token: CancellationToken) -> Self {
        if matches!(self.phase, Phase::Ready(_)) && self.cancelled.is_empty() {
            // So that a thread that looks at the context sees it at once, and not when the stream is next polled.
            self.cx.set_cancellation(token.child_token());
        }
        self.cancelled.push(Box::pin(token.cancelled_owned()));
        self
    }

    /// Sends the call's progress to `sink`. To be said before the first poll.
    pub fn on_progress(mut self, sink: ProgressSink) -> Self {
        self.cx.set_progress(sink);
        self
    }

    /// The whole result, with the chunks that were taken from the stream before.
    #[expect(clippy::manual_async_fn, reason = "the future of an `async fn` has room for two copies of the call")]
    pub fn response(mut self) -> impl Future<Output = ToolResponse> + Send {
        async move {
            while let Some(chunk) = std::future::poll_fn(|cx| self.poll_chunk(cx)).await {
                if let Err(error) = self.append(chunk) {
                    let chunk = self.fail(ToolError::failed(error.to_string()));
                    // A text without an id can always be appended.
                    let _ = self.append(chunk);
                }
            }
            let mut response = self.response.take().unwrap_or_default();
            response.id = self.cx.take_call_id();
            response
        }
    }

    fn append(&mut self, chunk: ToolChunk) -> Result<(), AppendChunkError> {
        match &mut self.response {
            Some(response) => response.append_chunk(chunk),
            None => ToolResponse::begin(chunk).map(|response| self.response = Some(response)),
        }
    }

    fn poll_chunk(&mut self, cx: &mut Context<'_>) -> Poll<Option<ToolChunk>> {
        if !matches!(self.phase, Phase::Over) && self.cancelled.iter_mut().any(|token| token.poll_unpin(cx).is_ready())
        {
            return Poll::Ready(Some(self.fail(ToolError::Interrupted)));
        }
        if matches!(self.phase, Phase::Ready(_)) {
            let started = catch_unwind(AssertUnwindSafe(|| self.start()));
            if let Err(error) = started.unwrap_or_else(|panic| Err(ToolError::panicked(&*panic))) {
                return Poll::Ready(Some(self.fail(error)));
            }
        }
        if let Phase::Checking { settled, .. } = &mut self.phase {
            let (decision, input) = ready!(settled.as_mut().poll(cx));
            if let Some(refusal) = self.admit(&decision, input) {
                return Poll::Ready(Some(refusal));
            }
        }
        let Phase::Running(stream) = &mut self.phase else { return Poll::Ready(None) };
        if stream.is_over() {
            self.phase = Phase::Over;
            return Poll::Ready(None);
        }
        // A stream that has panicked is dropped at once and never polled again.
        let item = match catch_unwind(AssertUnwindSafe(|| stream.poll_next_unpin(cx))) {
            Ok(item) => ready!(item),
            Err(panic) => Some(Err(ToolError::panicked(&*panic))),
        };
        match item {
            Some(Ok(mut chunk)) => {
                PermissionDecision::forbid_in(&mut chunk);
                Poll::Ready(Some(chunk))
            }
            Some(Err(error)) => Poll::Ready(Some(self.fail(error))),
            None => {
                if let Phase::Running(stream) = std::mem::replace(&mut self.phase, Phase::Over) {
                    drop_quietly(stream);
                }
                Poll::Ready(None)
            }
        }
    }

    fn start(&mut self) -> Result<(), ToolError> {
        let Phase::Ready(target) = std::mem::replace(&mut self.phase, Phase::Over) else { return Ok(()) };
        let ((tool, input), engine) = target.resolve(self.callee.name(), self.cx.agent_state())?;
        match engine {
            Some(engine) => {
                if tool.layered().is_some() {
                    self.cx.set_guard(engine.clone());
                }
                let checked = Arc::clone(unlayered(&tool));
                let settled = Box::pin(async move { engine.settle(&*checked, &input).await });
                self.phase = Phase::Checking { settled, tool };
            }
            None => self.run(tool, input),
        }
        Ok(())
    }

    fn run(&mut self, tool: Arc<dyn Tool>, input: ToolInput) {
        self.phase = Phase::Running(tool.call(input, self.cx.clone()));
    }

    /// Runs what was allowed, or gives the chunk that says why it does not run.
    fn admit(&mut self, decision: &PermissionDecision, input: ToolInput) -> Option<ToolChunk> {
        // The check is over and gone before the tool starts, so that nobody else holds the input.
        let Phase::Checking { tool, .. } = std::mem::replace(&mut self.phase, Phase::Over) else { return None };
        if !decision.is_allowed() {
            return Some(decision.denied_chunk());
        }
        let started = catch_unwind(AssertUnwindSafe(|| self.run(tool, input)));
        started.err().map(|panic| self.fail(ToolError::panicked(&*panic)))
    }

    /// Ends the call with an error and gives the chunk that says so.
    fn fail(&mut self, error: ToolError) -> ToolChunk {
        if matches!(error, ToolError::Developer(_) | ToolError::Panicked { .. }) {
            let call = self.cx.call_id();
            // Saying its name may be what the tool panics at.
            let tool = catch_unwind(AssertUnwindSafe(|| self.callee.name())).unwrap_or_default();
            tracing::error!(call, tool, %error, "a tool call failed through a fault of the program");
        }
        self.stop();
        self.error_chunk(&error)
    }

    fn error_chunk(&self, error: &ToolError) -> ToolChunk {
        if let ToolError::Denied { decision } = error {
            return decision.denied_chunk();
        }
        let message = error.agent_message();
        let separator = match self.response.as_ref().and_then(ToolResponse::last_text) {
            Some(text) if !text.is_empty() && !text.ends_with('\n') => "\n",
            _ => "",
        };
        let state = match error {
            ToolError::Interrupted => ToolResultState::Interrupted,
            _ => ToolResultState::Error,
        };
        ToolChunk::text(format!("{separator}{message}")).with_state(state)
    }

    /// Stops what runs: the stream is dropped, and work elsewhere is told.
    fn stop(&mut self) {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Running(stream) => {
                drop_quietly(stream);
                self.cx.cancel_if_watched();
            }
            Phase::Checking { settled, .. } => drop_quietly(settled),
            Phase::Ready(_) | Phase::Over => {}
        }
    }
}

/// Drops what a tool has left. A panic in the user's `Drop` must not take the caller with it, nor abort the process
/// while it unwinds already.
fn drop_quietly(work: impl Sized) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(work))) {
        let error = ToolError::panicked(&*panic);
        tracing::error!(%error, "a tool panicked when its call was dropped");
    }
}

impl Target {
    /// The tool, its arguments, and what has to allow the call, if anything.
    fn resolve(self, name: &str, state: &AgentState) -> Result<(Runnable, Option<PermissionEngine>), ToolError> {
        match self {
            Self::Named { registry, input } => {
                Ok((registry.resolve(name, &input, state)?, Some(registry.engine(state))))
            }
            Self::Tool { tool, arguments } => {
                let input = match arguments {
                    Arguments::Value(value) => ToolInput::from_value(value, tool.spec())?,
                    Arguments::Text(text) => ToolInput::parse(&text, tool.spec())?,
                };
                Ok(((tool, input), None))
            }
        }
    }
}

impl Stream for CallStream {
    type Item = ToolChunk;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<ToolChunk>> {
        let Some(chunk) = ready!(self.poll_chunk(cx)) else { return Poll::Ready(None) };
        let response = self.response.get_or_insert_default();
        let copy = response.copy_of(&chunk);
        match response.append_chunk(copy) {
            Ok(()) => Poll::Ready(Some(chunk)),
            Err(error) => {
                let chunk = self.fail(ToolError::failed(error.to_string()));
                let _ = self.append(chunk.clone());
                Poll::Ready(Some(chunk))
            }
        }
    }
}

/// Awaiting a call gives its whole result, as [`CallStream::response`] does.
impl IntoFuture for CallStream {
    type Output = ToolResponse;
    type IntoFuture = Pin<Box<dyn Future<Output = ToolResponse> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.response())
    }
}

impl Drop for CallStream {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for CallStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallStream").field("response", &self.response).finish_non_exhaustive()
    }
}
