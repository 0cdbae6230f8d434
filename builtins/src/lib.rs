//! Ready-made tools for agents, written with the macros of `agentscope-tool` and its public API alone.
//!
//! [`Read`], [`Write`] and [`Edit`] work on files, [`Glob`] and [`Grep`] find them, [`TaskCreate`], [`TaskGet`],
//! [`TaskList`] and [`TaskUpdate`] work on the agent's own list of tasks, [`Bash`] runs commands. Those that act in an environment have two
//! constructors: `local()` for this machine, and `on(backend)` for any [`Backend`](agentscope_tool::Backend).
//!
//! ```
//! # #[cfg(all(feature = "local", unix))]
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use agentscope_tool::prelude::*;
//! use agentscope_tool_builtins::{Edit, Read, Write};
//! use serde_json::json;
//!
//! # let scratch = tempfile::tempdir()?; let directory = scratch.path().to_str().unwrap_or_default();
//! let toolkit = Toolkit::builder().tool(Read::local()).tool(Write::local()).tool(Edit::local()).build()?;
//! let permissions = PermissionContext::new().with_mode(PermissionMode::AcceptEdits).with_working_directory(directory);
//! let state = AgentState::new().with_permissions(permissions);
//!
//! let path = format!("{directory}/greeting.txt");
//! let arguments = json!({ "file_path": path, "content": "hello\nworld\n" });
//! toolkit.call(ToolCall::from_value("1", "Write", &arguments), &state).await;
//!
//! let arguments = json!({ "file_path": path, "old_string": "world", "new_string": "there" });
//! let response = toolkit.call(ToolCall::from_value("2", "Edit", &arguments), &state).await;
//! assert_eq!(response.state, ToolResultState::Success, "{}", response.text());
//!
//! let response = toolkit.call(ToolCall::from_value("3", "Read", &json!({ "file_path": path })), &state).await;
//! assert_eq!(response.text(), "     1\thello\n     2\tthere");
//! # Ok(()) }
//! # #[cfg(not(all(feature = "local", unix)))] fn main() {}
//! ```

pub mod bash;
mod diff;
mod edit;
mod edits;
mod glob;
mod grep;
mod lock;
mod read;
mod search;
mod target;
mod tasks;
mod text;
mod unit;
mod write;

pub use bash::{Bash, BashArgs};
pub use edit::{Edit, EditArgs};
pub use glob::{Glob, GlobArgs};
pub use grep::{Grep, GrepArgs, GrepOutput};
pub use read::{Read, ReadArgs};
pub use tasks::{
    TaskCreate, TaskCreateArgs, TaskGet, TaskGetArgs, TaskList, TaskListArgs, TaskStatus, TaskUpdate, TaskUpdateArgs,
};
pub use write::{Write, WriteArgs};

/// This machine.
#[cfg(all(feature = "local", unix))]
fn local() -> std::sync::Arc<dyn agentscope_tool::Backend> {
    std::sync::Arc::new(agentscope_tool_backends::LocalBackend::new())
}

/// Runs work that takes a while on a thread that may block, or here if there is no runtime.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, agentscope_tool::ToolError> {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return Ok(work()) };
    runtime.spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(error) => agentscope_tool::ToolError::developer(error),
    })
}
