//! What a tool gives back: content blocks, the chunks that carry them, and the response that gathers the chunks.
//!
//! The JSON of every type here has the same shape as that of Python AgentScope, so that a history written by one is
//! read by the other.

mod block;
mod chunk;
mod identity;
mod response;

pub use block::{Base64Source, ContentBlock, DataBlock, DataSource, TextBlock, UrlSource};
pub use chunk::{MCP_PROGRESS, ToolChunk, ToolResultState};
pub(crate) use identity::new_id;
pub use identity::{BlockId, Timestamp, set_clock, set_id_factory};
pub use response::{AppendChunkError, ToolResponse};
