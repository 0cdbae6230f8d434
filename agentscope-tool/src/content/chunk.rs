//! A piece of a tool's result.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::block::{ContentBlock, TextBlock};
use super::identity::BlockId;

/// The metadata key under which an MCP tool reports its progress. It is for the moment only: a chunk may carry it, a
/// response never keeps it.
pub const MCP_PROGRESS: &str = "mcp_progress";

/// How a tool call stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolResultState {
    /// The tool did its work.
    Success,
    /// The tool failed, or its input was not valid.
    Error,
    /// The call was cancelled.
    Interrupted,
    /// The call was not permitted.
    Denied,
    /// More may come. Only chunks are in this state, never a response.
    Running,
}

impl fmt::Display for ToolResultState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Success => "success",
            Self::Error => "error",
            Self::Interrupted => "interrupted",
            Self::Denied => "denied",
            Self::Running => "running",
        })
    }
}

/// A piece of a tool's result, as a tool yields it.
///
/// ```
/// use agentscope_tool::{ToolChunk, ToolResultState};
///
/// let chunk = ToolChunk::text("2 files changed").with_metadata("changed", 2);
/// assert_eq!(chunk.state, ToolResultState::Running);
/// assert_eq!(chunk.joined_text(), "2 files changed");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolChunk {
    /// New blocks, and continuations of blocks by id.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// How the call stands after this chunk.
    #[serde(default = "running")]
    pub state: ToolResultState,
    /// Whether the tool says that nothing follows.
    #[serde(default = "yes")]
    pub is_last: bool,
    /// Facts for the program around the model.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// The chunk's id.
    #[serde(default)]
    pub id: BlockId,
}

fn running() -> ToolResultState {
    ToolResultState::Running
}

fn yes() -> bool {
    true
}

impl ToolChunk {
    /// A chunk with these blocks.
    #[must_use]
    pub fn new(content: Vec<ContentBlock>) -> Self {
        Self { content, state: ToolResultState::Running, is_last: true, metadata: Map::new(), id: BlockId::unset() }
    }

    /// A chunk with one text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(vec![TextBlock::new(text).into()])
    }

    /// A chunk that ends the call as failed, with this text for the model.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self::text(text).with_state(ToolResultState::Error)
    }

    /// The same chunk in another state.
    #[must_use]
    pub fn with_state(mut self, state: ToolResultState) -> Self {
        self.state = state;
        self
    }

    /// The same chunk with one more metadata entry.
    #[must_use]
    pub fn with_metadata(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.metadata.insert(key.into(), value.into());
        self
    }

    /// The same chunk, announced as one of several.
    #[must_use]
    pub fn more_follows(mut self) -> Self {
        self.is_last = false;
        self
    }

    /// The chunk's texts, one behind the other.
    #[must_use]
    pub fn joined_text(&self) -> String {
        joined_text(&self.content)
    }
}

pub(super) fn joined_text(content: &[ContentBlock]) -> String {
    content.iter().filter_map(ContentBlock::as_text).collect()
}
