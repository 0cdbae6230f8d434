//! Changing tasks.

use agentscope_tool::prelude::*;
use agentscope_tool::{Task, TaskState, TasksContext};
use serde_json::{Map, Value};

use super::{always_allowed, graph};

/// Change a task: its state, texts, owner or metadata, or what waits for what.
///
/// Set a task to in_progress when you begin it and to completed when all of it is done, not before. What you leave out
/// stays as it is. When something is wrong, nothing is changed.
#[derive(Clone, Copy, Debug, Default, Tool)]
#[spec(state_injected)]
pub struct TaskUpdate;

/// The arguments of [`TaskUpdate`].
#[tool_args]
pub struct TaskUpdateArgs {
    /// The id of the task.
    pub task_id: String,
    /// What is to be done, in a few words.
    pub subject: Option<String>,
    /// What is to be done, in full.
    pub description: Option<String>,
    /// The ids of tasks that have to wait for this one.
    pub add_blocks: Option<Vec<String>>,
    /// How far the task is; `deleted` takes it off the list.
    pub status: Option<TaskStatus>,
    /// The ids of tasks that this one has to wait for.
    pub add_blocked_by: Option<Vec<String>>,
    /// Who works on it; an empty text makes it free.
    pub owner: Option<String>,
    /// Facts to be kept with the task. They are added to those that are there; a key with null is removed.
    pub metadata: Option<Map<String, Value>>,
}

/// What a task's state is set to.
#[tool_args(undocumented)]
#[derive(Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Not begun.
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Completed,
    /// Not on the list any more.
    Deleted,
}

impl ToolBody for TaskUpdate {
    type Args = TaskUpdateArgs;
    type Output = Result<String, ToolError>;

    async fn call(&self, args: TaskUpdateArgs, cx: ToolContext) -> Result<String, ToolError> {
        cx.agent_state().update(|record| update(&mut record.tasks_context, args))
    }

    async fn check_permissions(&self, _: &TaskUpdateArgs, _: &PermissionContext) -> PermissionDecision {
        always_allowed()
    }

    async fn check_read_only(&self, _: &TaskUpdateArgs) -> bool {
        true
    }
}

fn update(context: &mut TasksContext, args: TaskUpdateArgs) -> Result<String, ToolError> {
    let id = args.task_id.clone();
    let Some(index) = graph::position(&context.tasks, &id) else { return Err(super::not_found(&id)) };
    if args.status == Some(TaskStatus::Deleted) {
        graph::remove(context, &id);
        return Ok(format!("Task (id={id}) has been deleted."));
    }
    // All or nothing: a copy is changed, and takes the place of the tasks in the end.
    let mut tasks = context.tasks.clone();
    let changed = apply(&mut tasks, index, args)
        .map_err(|error| ToolError::failed(format!("{error}. Nothing was changed in the task (id={id}).")))?;
    let completed = tasks[index].state == TaskState::Completed;
    context.tasks = tasks;

    let mut text = match changed.is_empty() {
        true => format!("Nothing was changed in the task (id={id}): give at least one field that differs."),
        false => format!("Updated task (id={id}): {}.", changed.join(", ")),
    };
    if completed {
        text.push_str("\n\nThe task is completed. TaskList shows which task can be done next.");
    }
    Ok(text)
}

/// Does what is asked for and says which fields that were.
fn apply(tasks: &mut [Task], index: usize, args: TaskUpdateArgs) -> Result<Vec<&'static str>, graph::GraphError> {
    let mut changed = Vec::new();
    let id = args.task_id;
    if let Some(subject) = args.subject.filter(|subject| !subject.is_empty()) {
        tasks[index].subject = subject;
        changed.push("subject");
    }
    if let Some(description) = args.description {
        tasks[index].description = description;
        changed.push("description");
    }
    let (blocks, blocked_by) = (args.add_blocks.unwrap_or_default(), args.add_blocked_by.unwrap_or_default());
    graph::all_known(tasks, blocks.iter().chain(&blocked_by))?;
    let mut added = [0, 0];
    for other in &blocks {
        added[0] += usize::from(graph::block(tasks, &id, other)?);
    }
    for other in &blocked_by {
        added[1] += usize::from(graph::block(tasks, other, &id)?);
    }
    changed
        .extend(["add_blocks", "add_blocked_by"].into_iter().zip(added).filter(|(_, n)| *n > 0).map(|(name, _)| name));
    let state = args.status.and_then(|status| match status {
        TaskStatus::Pending => Some(TaskState::Pending),
        TaskStatus::InProgress => Some(TaskState::InProgress),
        TaskStatus::Completed => Some(TaskState::Completed),
        // Dealt with before.
        TaskStatus::Deleted => None,
    });
    if let Some(state) = state {
        graph::set_state(tasks, &id, state);
        changed.push("status");
    }
    if let Some(owner) = args.owner {
        tasks[index].owner = Some(owner).filter(|owner| !owner.is_empty());
        changed.push("owner");
    }
    if let Some(metadata) = args.metadata {
        for (key, value) in metadata {
            match value {
                Value::Null => drop(tasks[index].metadata.shift_remove(&key)),
                value => drop(tasks[index].metadata.insert(key, value)),
            }
        }
        changed.push("metadata");
    }
    Ok(changed)
}
