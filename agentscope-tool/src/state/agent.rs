//! The handle on a conversation's state.

use std::sync::{Arc, RwLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::record::StateRecord;
use crate::permission::PermissionContext;

/// A conversation's state: a cheap handle; its clones are the same state.
///
/// Serialised, it is the saved state of Python AgentScope.
///
/// ```
/// use agentscope_tool::AgentState;
///
/// let state = AgentState::new();
/// state.update(|record| record.middle_context.insert("seen".into(), 1.into()));
///
/// let saved = serde_json::to_string(&state)?;
/// let loaded: AgentState = serde_json::from_str(&saved)?;
/// assert_eq!(loaded.read(|record| record.middle_context["seen"].clone()), 1);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AgentState(Arc<RwLock<StateRecord>>);

impl AgentState {
    /// The state of a new conversation.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same state with this permission mode and these rules.
    ///
    /// ```
    /// use agentscope_tool::{AgentState, PermissionMode};
    ///
    /// let state = AgentState::new().with_permissions(PermissionMode::Explore);
    /// assert_eq!(state.permissions().mode(), PermissionMode::Explore);
    /// ```
    #[must_use]
    pub fn with_permissions(self, permissions: impl Into<PermissionContext>) -> Self {
        let permissions = permissions.into();
        self.update(|record| record.permission_context = permissions);
        self
    }

    /// The permission mode and the rules as they are now: a cheap handle, which later changes do not reach.
    #[must_use]
    pub fn permissions(&self) -> PermissionContext {
        self.read(|record| record.permission_context.clone())
    }

    /// Looks at the state. Other readers may look at the same time; writers wait, so be quick, and do not call another
    /// method of this state inside.
    pub fn read<R>(&self, look: impl FnOnce(&StateRecord) -> R) -> R {
        look(&self.0.read().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// Changes the state. Everybody else waits, so be quick, and do not call another method of this state inside.
    pub fn update<R>(&self, change: impl FnOnce(&mut StateRecord) -> R) -> R {
        change(&mut self.0.write().unwrap_or_else(|poisoned| poisoned.into_inner()))
    }

    /// The conversation's id.
    #[must_use]
    pub fn session_id(&self) -> String {
        self.read(|record| record.session_id.clone())
    }

    /// Whether both handles are on the same state.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl From<StateRecord> for AgentState {
    fn from(record: StateRecord) -> Self {
        Self(Arc::new(RwLock::new(record)))
    }
}

impl Serialize for AgentState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.read(|record| record.serialize(serializer))
    }
}

impl<'de> Deserialize<'de> for AgentState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        StateRecord::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::state::{Summary, TaskState};

    /// What the original saves, with every field set.
    fn saved() -> Value {
        json!({
            "session_id": "s1",
            "summary": [{"type": "text", "text": "before"}],
            "context": [{"role": "user", "name": "u", "content": "hi"}],
            "reply_context": {"reply_id": "r1", "cur_iter": 2, "structured_schema": null, "structured_output": {"a": 1}},
            "permission_context": {
                "mode": "accept_edits",
                "working_directories": {"/w": {"path": "/w", "source": "session"}},
                "allow_rules": {"Bash": [
                    {"tool_name": "Bash", "rule_content": "git log:*", "behavior": "allow", "source": "userSettings"}
                ]},
                "deny_rules": {},
                "ask_rules": {}
            },
            "tool_context": {
                "max_cache_files": 100,
                "max_cache_bytes": 25000,
                "read_file_cache": [{"file_path": "/w/a", "lines": ["x\n"], "updated_at": 1.5, "bytes": 0.1}],
                "activated_groups": ["web"]
            },
            "tasks_context": {"tasks": [{
                "id": "1", "subject": "s", "description": "d", "metadata": {}, "created_at": "2026-01-01T00:00:00",
                "state": "in_progress", "owner": null, "blocks": ["2"], "blocked_by": []
            }]},
            "middle_context": {"m": [1, 2]}
        })
    }

    #[test]
    fn what_the_original_saved_is_written_back_as_it_was() {
        let state: AgentState = serde_json::from_value(saved()).unwrap();
        assert_eq!(serde_json::to_value(&state).unwrap(), saved());
        assert_eq!(state.read(|record| record.tasks_context.tasks[0].state), TaskState::InProgress);
        assert!(state.read(|record| matches!(record.summary, Summary::Blocks(_))));
    }

    #[test]
    fn unknown_fields_are_kept_everywhere() {
        let mut json = saved();
        json["new"] = json!(1);
        for place in ["reply_context", "permission_context", "tool_context", "tasks_context"] {
            json[place]["new"] = json!({"deep": true});
        }
        json["tasks_context"]["tasks"][0]["new"] = json!("t");
        let state: AgentState = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&state).unwrap(), json);
    }

    #[test]
    fn an_old_state_with_the_reply_at_the_top_is_migrated() {
        let state: AgentState = serde_json::from_value(json!({"reply_id": "r0", "cur_iter": 4})).unwrap();
        let json = serde_json::to_value(&state).unwrap();
        assert_eq!(json["reply_context"]["reply_id"], "r0");
        assert_eq!(json["reply_context"]["cur_iter"], 4);
        assert!(json.get("reply_id").is_none());
        assert!(state.read(|record| !record.session_id.is_empty()));
    }

    #[test]
    fn clones_are_one_state() {
        let state = AgentState::new();
        let other = state.clone();
        other.update(|record| record.session_id = "x".into());
        assert_eq!(state.session_id(), "x");
        assert!(state.is_same(&other));
        assert!(!state.is_same(&AgentState::new()));
    }
}
