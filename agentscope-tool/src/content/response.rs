//! The whole result of a call, gathered from its chunks.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::block::{ContentBlock, DataBlock, DataSource, TextBlock};
use super::chunk::{MCP_PROGRESS, ToolChunk, ToolResultState, joined_text};
use super::identity::BlockId;

/// A chunk that cannot be appended: it continues a data block by id, and one of the two pieces is a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "data block `{id}` cannot be continued: a url cannot be joined with other data; give the new block an id of its own"
)]
pub struct AppendChunkError {
    /// The id that both pieces carry.
    pub id: String,
}

/// The whole result of a call.
///
/// Neighbouring texts are one block, in the order in which their ids came first: chunks `A1` (id 1), `B1` (id 2) and
/// `A2` (id 1) give `A1A2B1`.
///
/// ```
/// use agentscope_tool::{ToolChunk, ToolResponse};
///
/// let mut response = ToolResponse::new("call_1");
/// response.append_chunk(ToolChunk::text("one, ").more_follows())?;
/// response.append_chunk(ToolChunk::text("two"))?;
/// assert_eq!(response.text(), "one, two");
/// assert_eq!(response.content.len(), 1);
/// # Ok::<(), agentscope_tool::AppendChunkError>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToolResponse {
    /// The gathered blocks.
    #[serde(default)]
    pub content: Vec<ContentBlock>,
    /// How the call ended.
    #[serde(default = "success")]
    pub state: ToolResultState,
    /// The chunks' metadata, later entries over earlier ones.
    #[serde(default)]
    pub metadata: Map<String, Value>,
    /// The id of the tool call.
    #[serde(default)]
    pub id: BlockId,
    /// Where, in the merged texts, the text of each known id ends.
    #[serde(skip)]
    segments: Segments,
}

fn success() -> ToolResultState {
    ToolResultState::Success
}

/// The part of a merged text block that one id has given.
#[derive(Clone, Debug, PartialEq)]
struct Segment {
    block: usize,
    id: BlockId,
    end: usize,
}

/// Few responses have any, and all are moved about: a pointer has to do.
#[derive(Clone, Debug, Default)]
#[expect(clippy::box_collection, reason = "a thin pointer is smaller than a list")]
struct Segments(Option<Box<Vec<Segment>>>);

impl Segments {
    fn all(&self) -> &[Segment] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }

    fn all_mut(&mut self) -> &mut [Segment] {
        self.0.as_deref_mut().map_or(&mut [], Vec::as_mut_slice)
    }

    fn push(&mut self, segment: Segment) {
        self.0.get_or_insert_default().push(segment);
    }
}

/// Where texts end that are still to be continued is no part of what a response says.
impl PartialEq for ToolResponse {
    fn eq(&self, other: &Self) -> bool {
        (&self.content, self.state, &self.metadata, &self.id)
            == (&other.content, other.state, &other.metadata, &other.id)
    }
}

impl Default for ToolResponse {
    fn default() -> Self {
        Self::new(BlockId::unset())
    }
}

impl ToolResponse {
    /// An empty, successful response to the call with this id.
    #[must_use]
    pub fn new(id: impl Into<BlockId>) -> Self {
        Self {
            content: Vec::new(),
            state: ToolResultState::Success,
            metadata: Map::new(),
            id: id.into(),
            segments: Segments::default(),
        }
    }

    /// The response to a call whose first chunk this is, its id still to be set.
    pub(crate) fn begin(chunk: ToolChunk) -> Result<Self, AppendChunkError> {
        if chunk.content.len() > 1 || chunk.metadata.contains_key(MCP_PROGRESS) {
            let mut response = Self::default();
            response.append_chunk(chunk)?;
            return Ok(response);
        }
        // What nearly every call comes to: the chunk is the response.
        let state = match chunk.state {
            ToolResultState::Running => ToolResultState::Success,
            state => state,
        };
        let ToolChunk { content, metadata, .. } = chunk;
        Ok(Self { content, state, metadata, id: BlockId::unset(), segments: Segments::default() })
    }

    /// The text that the response ends with, if it ends with one.
    pub(crate) fn last_text(&self) -> Option<&str> {
        self.content.last().and_then(ContentBlock::as_text)
    }

    /// The response's texts, one behind the other.
    #[must_use]
    pub fn text(&self) -> String {
        joined_text(&self.content)
    }

    /// Whether the call ended in success.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.state == ToolResultState::Success
    }

    /// Adds a chunk: blocks whose id is known continue their block, others are appended, neighbouring texts merge. An
    /// error in the state stays for good; of interrupted and denied the later one counts. Metadata is merged key by key.
    ///
    /// # Errors
    /// When a data block by URL would have to be joined with another of the same id. The response is unchanged then.
    pub fn append_chunk(&mut self, chunk: ToolChunk) -> Result<(), AppendChunkError> {
        self.check(&chunk.content)?;
        if self.content.is_empty() && chunk.content.len() <= 1 {
            self.content = chunk.content;
        } else {
            for block in chunk.content {
                self.append_block(block);
            }
        }
        match (self.state, chunk.state) {
            (ToolResultState::Error, _) | (_, ToolResultState::Success | ToolResultState::Running) => {}
            (_, worse) => self.state = worse,
        }
        if self.metadata.is_empty() && !chunk.metadata.contains_key(MCP_PROGRESS) {
            self.metadata = chunk.metadata;
        } else {
            self.metadata.extend(chunk.metadata.into_iter().filter(|(key, _)| key != MCP_PROGRESS));
        }
        Ok(())
    }

    /// A copy of a chunk to be appended while the chunk itself goes elsewhere. A text without an id that is merged into
    /// the one before it needs none: each id that is known has to be looked for by all later chunks.
    pub(crate) fn copy_of(&self, chunk: &ToolChunk) -> ToolChunk {
        let mut follows_text = matches!(self.content.last(), Some(ContentBlock::Text(_)));
        let mut copy = |block: &ContentBlock| match block {
            ContentBlock::Text(text) if follows_text && text.id.known().is_none() => TextBlock {
                text: text.text.clone(),
                id: BlockId::unset(),
                created_at: text.created_at.clone(),
                finished_at: text.finished_at.clone(),
            }
            .into(),
            other => {
                follows_text = matches!(other, ContentBlock::Text(_));
                other.clone()
            }
        };
        ToolChunk {
            content: chunk.content.iter().map(&mut copy).collect(),
            state: chunk.state,
            is_last: chunk.is_last,
            metadata: chunk.metadata.clone(),
            id: BlockId::unset(),
        }
    }

    fn check(&self, new: &[ContentBlock]) -> Result<(), AppendChunkError> {
        for (index, block) in new.iter().enumerate() {
            let ContentBlock::Data(data) = block else { continue };
            let Some(id) = data.id.known() else { continue };
            let earlier = self.content.iter().chain(&new[..index]);
            for other in earlier {
                if let ContentBlock::Data(other) = other
                    && other.id.known() == Some(id)
                    && !matches!((&other.source, &data.source), (DataSource::Base64(_), DataSource::Base64(_)))
                {
                    return Err(AppendChunkError { id: id.to_owned() });
                }
            }
        }
        Ok(())
    }

    fn append_block(&mut self, block: ContentBlock) {
        let place = block.id().known().and_then(|id| self.find(id));
        match (block, place) {
            (ContentBlock::Text(text), Some(Place::Segment(index))) => self.extend_segment(index, &text.text),
            (ContentBlock::Text(text), Some(Place::Block(index))) if self.content[index].as_text().is_some() => {
                if let ContentBlock::Text(old) = &mut self.content[index] {
                    old.text.push_str(&text.text);
                }
            }
            (ContentBlock::Data(data), Some(Place::Block(index))) if self.content[index].as_text().is_none() => {
                if let ContentBlock::Data(old) = &mut self.content[index] {
                    extend_data(old, data);
                }
            }
            (mut block, place) => {
                // A text and a datum of one id: the newer one gets an id of its own, nothing is lost.
                if place.is_some() {
                    block.set_id(BlockId::unset());
                }
                match block {
                    ContentBlock::Text(text) => self.push_text(text),
                    data @ ContentBlock::Data(_) => self.content.push(data),
                }
            }
        }
    }

    /// Appends a text that continues no earlier one: to the last block if that is a text, else as a new block.
    fn push_text(&mut self, text: TextBlock) {
        let last = self.content.len().wrapping_sub(1);
        let Some(ContentBlock::Text(previous)) = self.content.last_mut() else {
            self.content.push(text.into());
            return;
        };
        if previous.id.known().is_some() && !self.segments.all().iter().any(|segment| segment.block == last) {
            self.segments.push(Segment { block: last, id: previous.id.clone(), end: previous.text.len() });
        }
        previous.text.push_str(&text.text);
        if text.id.known().is_some() {
            self.segments.push(Segment { block: last, id: text.id, end: previous.text.len() });
        }
    }

    /// Inserts a late delta where the text of its id ends; the segments behind it in the same block move on.
    fn extend_segment(&mut self, index: usize, delta: &str) {
        let Segment { block, end, .. } = self.segments.all()[index];
        if let Some(ContentBlock::Text(text)) = self.content.get_mut(block) {
            text.text.insert_str(end, delta);
        }
        for segment in self.segments.all_mut()[index..].iter_mut().filter(|segment| segment.block == block) {
            segment.end += delta.len();
        }
    }

    fn find(&self, id: &str) -> Option<Place> {
        let segment = self.segments.all().iter().rposition(|segment| segment.id.known() == Some(id));
        segment
            .map(Place::Segment)
            .or_else(|| self.content.iter().rposition(|block| block.id().known() == Some(id)).map(Place::Block))
    }
}

/// Where a known id stands: in a merged text, or as a block of its own.
enum Place {
    Segment(usize),
    Block(usize),
}

/// Joins two data blocks of one id; [`ToolResponse::check`] has made sure that both are base64.
fn extend_data(old: &mut DataBlock, new: DataBlock) {
    if let (DataSource::Base64(old), DataSource::Base64(new)) = (&mut old.source, new.source) {
        old.append(new);
    }
    if new.name.as_deref().is_some_and(|name| !name.is_empty()) {
        old.name = new.name;
    }
}

#[cfg(test)]
mod tests;
