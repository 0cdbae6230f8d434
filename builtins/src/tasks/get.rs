//! Looking at one task.

use agentscope_tool::Task;
use agentscope_tool::prelude::*;
use serde_json::Value;

use super::{always_allowed, graph, state_name};

/// Show all of a task: its description, state, owner and metadata, what it waits for and what waits for it.
#[derive(Clone, Copy, Debug, Default, Tool)]
#[spec(read_only, state_injected)]
pub struct TaskGet;

/// The arguments of [`TaskGet`].
#[tool_args]
pub struct TaskGetArgs {
    /// The id of the task.
    pub task_id: String,
}

impl ToolBody for TaskGet {
    type Args = TaskGetArgs;
    type Output = Result<String, ToolError>;

    async fn call(&self, args: TaskGetArgs, cx: ToolContext) -> Result<String, ToolError> {
        let text = cx.agent_state().read(|record| {
            let tasks = &record.tasks_context.tasks;
            graph::position(tasks, &args.task_id).map(|index| shown(&tasks[index]))
        });
        text.ok_or_else(|| super::not_found(&args.task_id))
    }

    async fn check_permissions(&self, _: &TaskGetArgs, _: &PermissionContext) -> PermissionDecision {
        always_allowed()
    }
}

fn shown(task: &Task) -> String {
    let ids = |ids: &[String]| ids.iter().map(|id| format!("#{id}")).collect::<Vec<_>>().join(", ");
    let mut lines = vec![
        format!("Task (id={}): {}", task.id, task.subject),
        format!("Status: {}", state_name(task.state)),
        format!("Description: {}", task.description),
    ];
    if let Some(owner) = task.owner.as_deref().filter(|owner| !owner.is_empty()) {
        lines.push(format!("Owner: {owner}"));
    }
    if !task.blocked_by.is_empty() {
        lines.push(format!("Blocked by: {}", ids(&task.blocked_by)));
    }
    if !task.blocks.is_empty() {
        lines.push(format!("Blocks: {}", ids(&task.blocks)));
    }
    if !task.metadata.is_empty() {
        lines.push(format!("Metadata: {}", Value::Object(task.metadata.clone())));
    }
    lines.join("\n")
}
