//! Looking at all tasks.

use agentscope_tool::Task;
use agentscope_tool::prelude::*;

use super::{always_allowed, state_name};

/// List all tasks in the order in which they were made: id, state, subject, owner, and the tasks that each still waits
/// for. Look here for the next task when you have completed one; the first that is pending, free and waits for nothing
/// is a good choice.
#[derive(Clone, Copy, Debug, Default, Tool)]
#[spec(read_only, state_injected)]
pub struct TaskList;

/// The arguments of [`TaskList`]: none.
#[tool_args]
pub struct TaskListArgs {}

impl ToolBody for TaskList {
    type Args = TaskListArgs;
    type Output = String;

    async fn call(&self, _: TaskListArgs, cx: ToolContext) -> String {
        let lines: Vec<_> = cx.agent_state().read(|record| record.tasks_context.tasks.iter().map(line).collect());
        if lines.is_empty() { "There are no tasks.".into() } else { lines.join("\n") }
    }

    async fn check_permissions(&self, _: &TaskListArgs, _: &PermissionContext) -> PermissionDecision {
        always_allowed()
    }
}

fn line(task: &Task) -> String {
    // A task is one line, whatever its subject.
    let subject = task.subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = format!("{} [{}] {subject}", task.id, state_name(task.state));
    if let Some(owner) = task.owner.as_deref().filter(|owner| !owner.is_empty()) {
        line.push_str(&format!(" ({owner})"));
    }
    if !task.blocked_by.is_empty() {
        line.push_str(&format!(" [blocked by {}]", task.blocked_by.join(", ")));
    }
    line
}
