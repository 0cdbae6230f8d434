//! What an agent has done before a case's call.

use agentscope_tool::{AgentState, ToolCall, Toolkit};
use serde_json::{Value, json};

use crate::conformance::Verdict;
use crate::conformance::fixture::Fixture;

/// The state of an agent that has the tasks of a case.
pub(super) fn new(setup: &Value) -> Result<AgentState, Verdict> {
    let state = AgentState::new();
    if let Some(tasks) = setup["tasks"].as_array() {
        let tasks = serde_json::from_value(tasks.clone().into())
            .map_err(|error| Verdict::Failed(format!("the tasks cannot be loaded: {error}")))?;
        state.update(|record| record.tasks_context.tasks = tasks);
    }
    Ok(state)
}

/// Reads the files that were read before, then lets somebody else change them.
pub(super) async fn prepare(
    described: &Value,
    fixture: &Fixture,
    toolkit: &Toolkit,
    state: &AgentState,
) -> Result<(), Verdict> {
    let mut keys = described.as_object().into_iter().flatten().map(|(key, _)| key.as_str());
    if let Some(key) = keys.find(|key| !["read", "after_read"].contains(key)) {
        return Err(Verdict::Skipped(format!("the state `{key}` is not known")));
    }
    for read in described["read"].as_array().into_iter().flatten() {
        let input = match fixture.filled(read) {
            Value::String(path) => json!({ "file_path": fixture.path(&path) }),
            input => input,
        };
        // Whether a file can be shown is not what the case is about: binary ones cannot.
        toolkit.call_unchecked(ToolCall::from_value("read", "Read", &input), state).await;
    }
    for change in described["after_read"].as_array().into_iter().flatten() {
        let changed = fixture.interfere(change);
        changed.map_err(|error| Verdict::Skipped(format!("the files cannot be changed: {error}")))?;
    }
    Ok(())
}
