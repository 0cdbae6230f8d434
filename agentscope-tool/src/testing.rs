//! Calling a tool in a test, an environment for it to act in, and what has changed in its schema.

mod memory;
#[cfg(feature = "testing")]
mod registered;
mod schema_diff;
#[cfg(feature = "testing")]
mod snapshot;

use std::fmt;
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::sync::Arc;

pub use memory::{ExecReply, MemoryBackend};
#[cfg(feature = "testing")]
pub use registered::{Registered, specs_of};
pub use schema_diff::{ChangeKind, SchemaChange, schema_diff};
#[cfg(feature = "testing")]
pub use snapshot::tool_snapshot;

use crate::content::ToolResponse;
use crate::state::{AgentState, Extensions};
use crate::tool::{Arguments, IntoTool, Tool, ToolContext};
use crate::toolkit::CallStream;

/// Calls a tool as a toolkit would, without one: the arguments are checked, and failures are part of the response.
///
/// Await the result, or give it states first:
///
/// ```
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// struct Directory(&'static str);
///
/// /// Look up a telephone number.
/// #[tool(read_only)]
/// async fn look_up(/** The name. */ name: String, #[state] directory: &Directory) -> String {
///     format!("{name}: {}", directory.0)
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let response = testing::call(&LookUp, json!({ "name": "Ada" })).state(Directory("555-1815")).await;
/// assert_eq!(response.state, ToolResultState::Success);
/// assert_eq!(response.text(), "Ada: 555-1815");
/// # }
/// ```
pub fn call<M>(tool: impl IntoTool<M>, arguments: impl Into<Arguments>) -> TestCall {
    TestCall {
        tool: tool.into_tool(),
        arguments: arguments.into(),
        extensions: Extensions::new(),
        agent_state: AgentState::new(),
    }
}

/// A call that is made when it is awaited.
#[must_use = "the call is made when it is awaited"]
pub struct TestCall {
    tool: Arc<dyn Tool>,
    arguments: Arguments,
    extensions: Extensions,
    agent_state: AgentState,
}

impl TestCall {
    /// Gives a state of the application to the tool.
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        self.extensions.insert(state);
        self
    }

    /// Gives the state of a conversation to the tool, instead of that of a new one.
    pub fn agent_state(mut self, state: &AgentState) -> Self {
        self.agent_state = state.clone();
        self
    }

    /// The call as a stream of chunks.
    pub fn stream(self) -> CallStream {
        let cx = ToolContext::builder()
            .call_id("test_call")
            .agent_state(&self.agent_state)
            .extensions(self.extensions)
            .build();
        CallStream::invoke(self.tool, self.arguments, cx)
    }
}

impl IntoFuture for TestCall {
    type Output = ToolResponse;
    type IntoFuture = Pin<Box<dyn Future<Output = ToolResponse> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.stream().response())
    }
}

impl fmt::Debug for TestCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestCall")
            .field("tool", &self.tool.name())
            .field("arguments", &self.arguments)
            .finish_non_exhaustive()
    }
}
