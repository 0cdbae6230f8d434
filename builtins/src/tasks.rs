//! The task tools: a plan of work that an agent keeps in its state.
//!
//! Tasks wait for each other: `blocks` and `blocked_by` always tell the same story, nothing waits for itself, and what is
//! completed blocks nobody until it is opened again. Ids are never given out twice.
//!
//! The four tools change nothing but the conversation's own state, and are allowed in every permission mode.

mod create;
mod get;
mod graph;
mod list;
mod update;

pub use create::{TaskCreate, TaskCreateArgs};
pub use get::{TaskGet, TaskGetArgs};
pub use list::{TaskList, TaskListArgs};
pub use update::{TaskStatus, TaskUpdate, TaskUpdateArgs};

use agentscope_tool::{PermissionDecision, TaskState, ToolError};

/// What all task tools think of a call.
fn always_allowed() -> PermissionDecision {
    PermissionDecision::allow("it only concerns the agent's own list of tasks")
}

fn state_name(state: TaskState) -> &'static str {
    match state {
        TaskState::Pending => "pending",
        TaskState::InProgress => "in_progress",
        TaskState::Completed => "completed",
    }
}

fn not_found(id: &str) -> ToolError {
    ToolError::failed(format!(
        "Task (id={}) was not found; TaskList shows the tasks that there are.",
        id.escape_debug()
    ))
}
