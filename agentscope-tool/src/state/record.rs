//! The agent's state as data. Its JSON is that of Python AgentScope: what the one saved the other loads.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::read_files::FileVersion;
use crate::content::Timestamp;
use crate::permission::PermissionContext;

/// Everything that is kept of a conversation.
///
/// Fields that this library does not know, in any of the records, are kept and written back.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateRecord {
    /// The conversation's id.
    pub session_id: String,
    /// What compression has made of the earlier context.
    pub summary: Summary,
    /// The messages, as they are saved; tools do not look into them.
    pub context: Vec<Value>,
    /// Where the current reply stands.
    pub reply_context: ReplyContext,
    /// The permission mode and rules.
    pub permission_context: PermissionContext,
    /// What tools remember: read files and activated groups.
    pub tool_context: ToolRecord,
    /// The agent's tasks.
    pub tasks_context: TasksContext,
    /// Free space for middleware.
    pub middle_context: Map<String, Value>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for StateRecord {
    fn default() -> Self {
        Self {
            session_id: crate::content::new_id(),
            summary: Summary::default(),
            context: Vec::new(),
            reply_context: ReplyContext::default(),
            permission_context: PermissionContext::default(),
            tool_context: ToolRecord::default(),
            tasks_context: TasksContext::default(),
            middle_context: Map::new(),
            other: Map::new(),
        }
    }
}

impl<'de> Deserialize<'de> for StateRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Saved {
            session_id: Option<String>,
            #[serde(default, deserialize_with = "or_default")]
            summary: Summary,
            #[serde(default, deserialize_with = "or_default")]
            context: Vec<Value>,
            reply_context: Option<ReplyContext>,
            reply_id: Option<String>,
            cur_iter: Option<u64>,
            #[serde(default, deserialize_with = "or_default")]
            permission_context: PermissionContext,
            #[serde(default, deserialize_with = "or_default")]
            tool_context: ToolRecord,
            #[serde(default, deserialize_with = "or_default")]
            tasks_context: TasksContext,
            #[serde(default, deserialize_with = "or_default")]
            middle_context: Map<String, Value>,
            #[serde(flatten)]
            other: Map<String, Value>,
        }
        let saved = Saved::deserialize(deserializer)?;
        // Early versions kept these two at the top.
        let reply_context = saved.reply_context.unwrap_or_else(|| ReplyContext {
            reply_id: saved.reply_id.unwrap_or_default(),
            cur_iter: saved.cur_iter.unwrap_or_default(),
            ..ReplyContext::default()
        });
        Ok(Self {
            session_id: saved.session_id.unwrap_or_else(crate::content::new_id),
            summary: saved.summary,
            context: saved.context,
            reply_context,
            permission_context: saved.permission_context,
            tool_context: saved.tool_context,
            tasks_context: saved.tasks_context,
            middle_context: saved.middle_context,
            other: saved.other,
        })
    }
}

/// Takes `null` for a field that is not there.
fn or_default<'de, D: Deserializer<'de>, T: Default + Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The summary of the context that was compressed away: text, or content blocks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Summary {
    /// A text, empty when nothing was compressed.
    Text(String),
    /// Content blocks, as they are saved.
    Blocks(Vec<Value>),
}

impl Default for Summary {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

/// Where the current reply stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReplyContext {
    /// The id of the reply in progress.
    pub reply_id: String,
    /// How many rounds of reasoning and acting the reply has had.
    pub cur_iter: u64,
    /// The schema of a structured answer that was asked for.
    pub structured_schema: Option<Value>,
    /// The structured answer.
    pub structured_output: Option<Value>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What tools remember between calls; `tool_context` in the saved state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolRecord {
    /// How many files the read cache holds at most. Default: 100.
    pub max_cache_files: u64,
    /// How large the read cache is at most, in KiB (whatever the name says, which is the original's). Default: 25,000.
    pub max_cache_bytes: u64,
    /// The files that were read, oldest first.
    pub read_file_cache: Vec<CachedFile>,
    /// The names of the tool groups that are active beside `basic`.
    pub activated_groups: Vec<String>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for ToolRecord {
    fn default() -> Self {
        Self {
            max_cache_files: 100,
            max_cache_bytes: 25_000,
            read_file_cache: Vec::new(),
            activated_groups: Vec::new(),
            other: Map::new(),
        }
    }
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CachedFile {
    /// The file's path.
    pub file_path: String,
    /// The file's lines, each with its line end.
    #[serde(default)]
    pub lines: Vec<String>,
    /// The file's modification time when it was read, in seconds since 1970.
    #[serde(default)]
    pub updated_at: Option<f64>,
    /// The file's size as UTF-8, in KiB.
    #[serde(default)]
    pub bytes: f64,
    /// The file as it was when it was read; nothing in what the original saves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<FileVersion>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// The agent's tasks; `tasks_context` in the saved state.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TasksContext {
    /// The tasks in order of creation.
    pub tasks: Vec<Task>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A piece of work that the agent plans and tracks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// The task's id, unique in the conversation.
    pub id: String,
    /// What is to be done, in a few words.
    pub subject: String,
    /// What is to be done, in full.
    #[serde(default, deserialize_with = "or_default")]
    pub description: String,
    /// Facts of any kind.
    #[serde(default, deserialize_with = "or_default")]
    pub metadata: Map<String, Value>,
    /// When the task was made.
    #[serde(default)]
    pub created_at: Timestamp,
    /// How far the task is.
    #[serde(default)]
    pub state: TaskState,
    /// Who works on it.
    #[serde(default)]
    pub owner: Option<String>,
    /// The ids of the tasks that wait for this one.
    #[serde(default, deserialize_with = "or_default")]
    pub blocks: Vec<String>,
    /// The ids of the tasks that this one waits for.
    #[serde(default, deserialize_with = "or_default")]
    pub blocked_by: Vec<String>,
    /// Fields of other versions.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// How far a task is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Not begun.
    #[default]
    Pending,
    /// Begun.
    InProgress,
    /// Done.
    Completed,
}
