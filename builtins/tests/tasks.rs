//! The task tools, called as a model calls them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::collections::HashMap;

use agentscope_tool::prelude::*;
use agentscope_tool::{Task, TaskState};
use agentscope_tool_builtins::{TaskCreate, TaskGet, TaskList, TaskUpdate};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

fn toolkit() -> Toolkit {
    Toolkit::builder().tool(TaskCreate).tool(TaskGet).tool(TaskList).tool(TaskUpdate).build().unwrap()
}

struct Agent(Toolkit, AgentState);

impl Agent {
    fn new() -> Self {
        Self(toolkit(), AgentState::new())
    }

    async fn with_tasks(count: usize) -> Self {
        let agent = Self::new();
        for n in 1..=count {
            agent.call("TaskCreate", json!({ "subject": format!("task {n}"), "description": "" })).await;
        }
        agent
    }

    async fn call(&self, tool: &str, input: Value) -> ToolResponse {
        self.0.call(ToolCall::from_value("c", tool, &input), &self.1).await
    }

    async fn update(&self, id: &str, mut changes: Value) -> ToolResponse {
        changes["task_id"] = json!(id);
        self.call("TaskUpdate", changes).await
    }

    async fn list(&self) -> String {
        self.call("TaskList", json!({})).await.text()
    }

    fn tasks(&self) -> Vec<Task> {
        self.1.read(|record| record.tasks_context.tasks.clone())
    }
}

#[test]
fn what_a_model_is_shown() {
    for spec in toolkit().specs(&AgentState::new()) {
        assert!(spec.is_concurrency_safe() && spec.is_state_injected());
        assert_eq!(spec.is_read_only(), ["TaskGet", "TaskList"].contains(&spec.name()));
        let shown = json!({ "description": spec.description(), "parameters": spec.input_schema() });
        insta::assert_json_snapshot!(spec.name(), shown);
    }
}

#[tokio::test]
async fn the_messages_of_a_plan() {
    let agent = Agent::new();
    let mut texts = vec![agent.list().await];
    for (tool, input) in [
        ("TaskCreate", json!({ "subject": "Find the fault", "description": "in the parser", "metadata": { "pr": 7 } })),
        ("TaskCreate", json!({ "subject": "Mend\nit", "description": "" })),
        ("TaskUpdate", json!({ "task_id": "1", "add_blocks": ["2"], "owner": "ada", "status": "in_progress" })),
        ("TaskGet", json!({ "task_id": "1" })),
        ("TaskList", json!({})),
        ("TaskGet", json!({ "task_id": "2" })),
        ("TaskUpdate", json!({ "task_id": "2" })),
        ("TaskUpdate", json!({ "task_id": "2", "add_blocks": ["1"] })),
        ("TaskUpdate", json!({ "task_id": "2", "add_blocks": ["2"] })),
        ("TaskUpdate", json!({ "task_id": "2", "add_blocks": ["8"], "add_blocked_by": ["9"] })),
        ("TaskUpdate", json!({ "task_id": "1", "status": "completed" })),
        ("TaskUpdate", json!({ "task_id": "1", "status": "done" })),
        ("TaskUpdate", json!({ "task_id": "1", "status": "deleted" })),
        ("TaskGet", json!({ "task_id": "1" })),
        ("TaskUpdate", json!({ "task_id": "1" })),
    ] {
        texts.push(format!("> {tool} {input}\n{}", agent.call(tool, input.clone()).await.text()));
    }
    insta::assert_snapshot!("messages", texts.join("\n\n"));
}

#[tokio::test]
async fn every_mode_allows_them() {
    for mode in [PermissionMode::Default, PermissionMode::Explore, PermissionMode::DontAsk] {
        let agent = Agent(toolkit(), AgentState::new().with_permissions(mode));
        agent.call("TaskCreate", json!({ "subject": "s", "description": "d" })).await;
        agent.update("1", json!({ "status": "completed" })).await;
        assert_eq!(agent.list().await, "1 [completed] s", "{mode:?}");
    }
}

#[tokio::test]
async fn an_id_is_never_given_out_twice_also_not_after_the_state_was_saved() {
    let agent = Agent::with_tasks(2).await;
    agent.update("2", json!({ "status": "deleted" })).await;
    let saved = serde_json::to_string(&agent.1).unwrap();
    let agent = Agent(toolkit(), serde_json::from_str(&saved).unwrap());
    agent.call("TaskCreate", json!({ "subject": "s", "description": "" })).await;
    assert_eq!(agent.list().await, "1 [pending] task 1\n3 [pending] s");
}

#[tokio::test]
async fn what_is_completed_blocks_nobody_until_it_is_opened_again() {
    let agent = Agent::with_tasks(3).await;
    agent.update("1", json!({ "add_blocks": ["2", "2"] })).await;
    agent.update("1", json!({ "status": "completed" })).await;
    agent.update("1", json!({ "add_blocks": ["3"] })).await;
    assert!(agent.tasks().iter().all(|task| task.blocks.is_empty() && task.blocked_by.is_empty()));

    agent.update("3", json!({ "status": "deleted" })).await;
    agent.update("1", json!({ "status": "pending" })).await;
    assert_eq!(agent.list().await, "1 [pending] task 1\n2 [pending] task 2 [blocked by 1]");
}

#[tokio::test]
async fn a_circle_is_refused_also_through_what_is_completed() {
    let agent = Agent::with_tasks(3).await;
    agent.update("1", json!({ "add_blocks": ["2"] })).await;
    agent.update("2", json!({ "add_blocks": ["3"] })).await;
    agent.update("2", json!({ "status": "completed" })).await;
    let before = agent.tasks();
    let response = agent.update("3", json!({ "subject": "other", "add_blocks": ["1"] })).await;
    assert_eq!(response.state, ToolResultState::Error);
    assert!(response.text().contains("#1 blocks #2 blocks #3 blocks #1"), "{}", response.text());
    assert_eq!(agent.tasks(), before);
}

#[tokio::test]
async fn texts_owners_and_metadata_are_set_and_cleared() {
    let agent = Agent::with_tasks(1).await;
    agent.update("1", json!({ "description": "d", "owner": "bob", "metadata": { "a": 1, "b": 2 } })).await;
    agent
        .update("1", json!({ "subject": "", "description": "", "owner": "", "metadata": { "a": null, "c": 3 } }))
        .await;
    let task = &agent.tasks()[0];
    assert_eq!((task.subject.as_str(), task.description.as_str(), task.owner.as_deref()), ("task 1", "", None));
    assert_eq!(Value::Object(task.metadata.clone()), json!({ "b": 2, "c": 3 }));
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_calls_lose_nothing() {
    let agent = std::sync::Arc::new(Agent::new());
    let calls = (0..50).map(|n| {
        let agent = std::sync::Arc::clone(&agent);
        tokio::spawn(async move {
            agent.call("TaskCreate", json!({ "subject": n.to_string(), "description": "" })).await;
        })
    });
    for call in calls.collect::<Vec<_>>() {
        call.await.unwrap();
    }
    let mut ids: Vec<u32> = agent.tasks().iter().map(|task| task.id.parse().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=50).collect::<Vec<_>>());
}

/// One change of a task among a few.
fn change() -> impl Strategy<Value = (u8, Value)> {
    let ids = || vec(1_u8..6, 0..3).prop_map(|ids| ids.iter().map(u8::to_string).collect::<Vec<_>>());
    let status = proptest::sample::select(vec!["pending", "in_progress", "completed", "completed", "deleted"]);
    let change = prop_oneof![
        4 => (ids(), ids()).prop_map(|(blocks, by)| json!({ "add_blocks": blocks, "add_blocked_by": by })),
        3 => status.prop_map(|status| json!({ "status": status })),
        1 => Just(json!({ "owner": "ada" })),
    ];
    (1_u8..6, change)
}

fn ways(tasks: &[Task]) -> HashMap<&str, Vec<&str>> {
    tasks.iter().map(|task| (task.id.as_str(), task.blocks.iter().map(String::as_str).collect())).collect()
}

fn reaches<'t>(ways: &HashMap<&'t str, Vec<&'t str>>, from: &'t str, to: &str, depth: usize) -> bool {
    depth > 0 && ways[from].iter().any(|next| *next == to || reaches(ways, next, to, depth - 1))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_updates_keeps_the_graph_two_sided_and_without_circles(changes in vec(change(), 0..25)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let agent = Agent::with_tasks(5).await;
            for (id, change) in changes {
                let before = agent.tasks();
                let response = agent.update(&id.to_string(), change).await;
                let tasks = agent.tasks();
                if response.state == ToolResultState::Error {
                    prop_assert_eq!(&tasks, &before);
                }
                for task in &tasks {
                    for (mine, theirs) in [(&task.blocks, true), (&task.blocked_by, false)] {
                        for id in mine {
                            let other = tasks.iter().find(|other| other.id == *id);
                            let other = other.ok_or_else(|| TestCaseError::fail("an id that is no task's"))?;
                            let back = if theirs { &other.blocked_by } else { &other.blocks };
                            prop_assert!(back.contains(&task.id));
                        }
                    }
                    prop_assert!(task.state != TaskState::Completed || task.blocks.is_empty());
                }
                let ways = ways(&tasks);
                for task in &tasks {
                    prop_assert!(!reaches(&ways, &task.id, &task.id, 6), "a circle through {}", task.id);
                }
            }
            Ok(())
        })?;
    }
}
