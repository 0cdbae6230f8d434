//! Making tasks.

use agentscope_tool::prelude::*;
use agentscope_tool::{Task, TaskState, Timestamp};
use serde_json::{Map, Value};

use super::{always_allowed, graph};

/// Add a task to your list of tasks.
///
/// Plan with tasks when work has three or more steps, or when you are given several things to do: add them all before
/// you begin. Skip it for one simple step. A new task is pending and waits for nothing; say with TaskUpdate what it
/// waits for.
#[derive(Clone, Copy, Debug, Default, Tool)]
#[spec(state_injected)]
pub struct TaskCreate;

/// The arguments of [`TaskCreate`].
#[tool_args]
pub struct TaskCreateArgs {
    /// What is to be done, in a few words, as a command: "Fix the login form".
    pub subject: String,
    /// What is to be done, in full, and when it counts as done.
    pub description: String,
    /// Facts to be kept with the task.
    pub metadata: Option<Map<String, Value>>,
}

impl ToolBody for TaskCreate {
    type Args = TaskCreateArgs;
    type Output = String;

    async fn call(&self, args: TaskCreateArgs, cx: ToolContext) -> String {
        let TaskCreateArgs { subject, description, metadata } = args;
        let shown = subject.clone();
        let id = cx.agent_state().update(|record| {
            let id = graph::new_id(&mut record.tasks_context);
            record.tasks_context.tasks.push(Task {
                id: id.clone(),
                subject,
                description,
                metadata: metadata.unwrap_or_default(),
                created_at: Timestamp::now(),
                state: TaskState::Pending,
                owner: None,
                blocks: Vec::new(),
                blocked_by: Vec::new(),
                other: Map::new(),
            });
            id
        });
        format!("Created task (id={id}): {shown}")
    }

    async fn check_permissions(&self, _: &TaskCreateArgs, _: &PermissionContext) -> PermissionDecision {
        always_allowed()
    }

    async fn check_read_only(&self, _: &TaskCreateArgs) -> bool {
        true
    }
}
