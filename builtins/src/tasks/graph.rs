//! Which task waits for which.

use std::collections::{HashMap, VecDeque};

use agentscope_tool::{Task, TaskState, TasksContext};
use serde_json::Value;

/// Where a completed task keeps the ids of those that wait for it again should it be opened again.
const RELEASED: &str = "released";
/// Where the highest id is kept that was ever given out.
const LAST_ID: &str = "last_task_id";

/// Why tasks cannot be made to wait for each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GraphError {
    /// There are no tasks with these ids.
    Unknown(Vec<String>),
    /// The task would wait for itself.
    Itself,
    /// Each of these would wait for the one before it, and the first for the last.
    Circle(Vec<String>),
}

impl std::fmt::Display for GraphError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(ids) => {
                let ids: Vec<_> = ids.iter().map(|id| format!("#{}", id.escape_debug())).collect();
                write!(f, "There is no task with the id {}", ids.join(", or "))
            }
            Self::Itself => f.write_str("A task cannot wait for itself"),
            Self::Circle(ids) => {
                let ids: Vec<_> = ids.iter().map(|id| format!("#{id}")).collect();
                write!(f, "The tasks would wait for each other in a circle: {}", ids.join(" blocks "))
            }
        }
    }
}

/// An id that was never given out.
pub(super) fn new_id(tasks: &mut TasksContext) -> String {
    let id = last_id(tasks).saturating_add(1);
    tasks.other.insert(LAST_ID.into(), id.into());
    id.to_string()
}

fn last_id(tasks: &TasksContext) -> u64 {
    let numbers = tasks.tasks.iter().filter_map(|task| task.id.parse::<u64>().ok());
    numbers.chain(tasks.other.get(LAST_ID).and_then(Value::as_u64)).max().unwrap_or(0)
}

pub(super) fn position(tasks: &[Task], id: &str) -> Option<usize> {
    // With duplicate ids, which only another program can have made, the last one counts.
    tasks.iter().rposition(|task| task.id == id)
}

/// Whether all of these are tasks.
pub(super) fn all_known<'i>(tasks: &[Task], ids: impl Iterator<Item = &'i String>) -> Result<(), GraphError> {
    let unknown: Vec<String> = ids.filter(|id| position(tasks, id).is_none()).cloned().collect();
    if unknown.is_empty() { Ok(()) } else { Err(GraphError::Unknown(unknown)) }
}

/// Makes one known task wait for another. Says whether it did not before.
pub(super) fn block(tasks: &mut [Task], blocker: &str, blocked: &str) -> Result<bool, GraphError> {
    if blocked == blocker {
        return Err(GraphError::Itself);
    }
    if followers(tasks, blocker).iter().any(|id| id == blocked) {
        return Ok(false);
    }
    if let Some(mut way) = way(tasks, blocked, blocker) {
        way.push(blocked.to_owned());
        return Err(GraphError::Circle(way));
    }
    link(tasks, blocker, blocked);
    Ok(true)
}

/// The tasks that wait for this one, or would if it were opened again.
fn followers(tasks: &[Task], id: &str) -> Vec<String> {
    let Some(task) = position(tasks, id).map(|index| &tasks[index]) else { return Vec::new() };
    task.blocks.iter().cloned().chain(released(task)).collect()
}

/// The ids by which one comes from a task to one that waits for it, at however many removes.
fn way(tasks: &[Task], from: &str, to: &str) -> Option<Vec<String>> {
    let mut came_from: HashMap<String, String> = HashMap::new();
    let mut queue = VecDeque::from([from.to_owned()]);
    while let Some(here) = queue.pop_front() {
        if here == to {
            let mut way = vec![here];
            while let Some(before) = way.last().filter(|id| *id != from).and_then(|id| came_from.get(id)) {
                way.push(before.clone());
            }
            way.reverse();
            return Some(way);
        }
        for next in followers(tasks, &here) {
            if next != from && !came_from.contains_key(&next) {
                came_from.insert(next.clone(), here.clone());
                queue.push_back(next);
            }
        }
    }
    None
}

/// Makes one task wait for another: now, or when the other is opened again.
fn link(tasks: &mut [Task], blocker: &str, blocked: &str) {
    let Some(index) = position(tasks, blocker) else { return };
    let task = &mut tasks[index];
    if task.state == TaskState::Completed {
        let mut ids = released(task);
        push_new(&mut ids, blocked);
        set_released(task, ids);
        return;
    }
    push_new(&mut task.blocks, blocked);
    if let Some(index) = position(tasks, blocked) {
        push_new(&mut tasks[index].blocked_by, blocker);
    }
}

/// Sets a task's state. What is completed blocks nobody; what is opened again blocks whom it did before.
pub(super) fn set_state(tasks: &mut [Task], id: &str, state: TaskState) {
    let Some(index) = position(tasks, id) else { return };
    let was = std::mem::replace(&mut tasks[index].state, state);
    if was != TaskState::Completed && state == TaskState::Completed {
        let followers = std::mem::take(&mut tasks[index].blocks);
        for task in tasks.iter_mut() {
            task.blocked_by.retain(|blocker| blocker != id);
        }
        set_released(&mut tasks[index], followers);
    } else if was == TaskState::Completed && state != TaskState::Completed {
        let followers = released(&tasks[index]);
        set_released(&mut tasks[index], Vec::new());
        for follower in followers.iter().filter(|follower| position(tasks, follower).is_some()).collect::<Vec<_>>() {
            link(tasks, id, follower);
        }
    }
}

/// Takes a task away, also out of what others say of it.
pub(super) fn remove(context: &mut TasksContext, id: &str) {
    // Its id is not given out again, whoever gave it out.
    let last = last_id(context);
    context.other.insert(LAST_ID.into(), last.into());
    let tasks = &mut context.tasks;
    tasks.retain(|task| task.id != id);
    for task in tasks {
        task.blocks.retain(|other| other != id);
        task.blocked_by.retain(|other| other != id);
        let mut ids = released(task);
        ids.retain(|other| other != id);
        set_released(task, ids);
    }
}

fn released(task: &Task) -> Vec<String> {
    let ids = task.other.get(RELEASED).and_then(Value::as_array);
    ids.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn set_released(task: &mut Task, ids: Vec<String>) {
    if ids.is_empty() {
        task.other.shift_remove(RELEASED);
    } else {
        task.other.insert(RELEASED.into(), ids.into());
    }
}

fn push_new(ids: &mut Vec<String>, id: &str) {
    if !ids.iter().any(|known| known == id) {
        ids.push(id.to_owned());
    }
}
