//! Content blocks: text, and data that is not text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};

use super::identity::{BlockId, Timestamp};

/// One block of a result's content.
///
/// ```
/// use agentscope_tool::{ContentBlock, DataBlock, TextBlock};
///
/// let blocks: Vec<ContentBlock> = vec![
///     TextBlock::new("a chart").into(),
///     DataBlock::from_bytes("image/png", b"\x89PNG").named("chart.png").into(),
/// ];
/// assert_eq!(blocks[0].as_text(), Some("a chart"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum ContentBlock {
    /// Text for the model.
    Text(TextBlock),
    /// An image, a sound, a document…
    Data(DataBlock),
}

impl ContentBlock {
    /// The text, if this is a text block.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            Self::Data(_) => None,
        }
    }

    /// The block's id.
    #[must_use]
    pub fn id(&self) -> &BlockId {
        match self {
            Self::Text(block) => &block.id,
            Self::Data(block) => &block.id,
        }
    }

    pub(crate) fn set_id(&mut self, id: BlockId) {
        match self {
            Self::Text(block) => block.id = id,
            Self::Data(block) => block.id = id,
        }
    }
}

impl From<TextBlock> for ContentBlock {
    fn from(block: TextBlock) -> Self {
        Self::Text(block)
    }
}

impl From<DataBlock> for ContentBlock {
    fn from(block: DataBlock) -> Self {
        Self::Data(block)
    }
}

/// A piece of text. Deltas of one text carry one id; a response joins them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TextBlock {
    /// The text.
    pub text: String,
    /// The id by which later chunks continue this text.
    #[serde(default)]
    pub id: BlockId,
    /// When the block was made.
    #[serde(default)]
    pub created_at: Timestamp,
    /// When the text was complete, if somebody noted it.
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
}

impl TextBlock {
    /// A block with this text and an id of its own.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), id: BlockId::unset(), created_at: Timestamp::now(), finished_at: None }
    }

    /// The same block under the given id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<BlockId>) -> Self {
        self.id = id.into();
        self
    }
}

/// Data that is not text, inline or by URL.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataBlock {
    /// The id by which later chunks continue this data.
    #[serde(default)]
    pub id: BlockId,
    /// Where the bytes are.
    pub source: DataSource,
    /// A file name for people and models to read.
    #[serde(default)]
    pub name: Option<String>,
    /// When the block was made.
    #[serde(default)]
    pub created_at: Timestamp,
    /// When the data was complete, if somebody noted it.
    #[serde(default)]
    pub finished_at: Option<Timestamp>,
}

impl DataBlock {
    /// A block from any source.
    #[must_use]
    pub fn new(source: impl Into<DataSource>) -> Self {
        Self {
            id: BlockId::unset(),
            source: source.into(),
            name: None,
            created_at: Timestamp::now(),
            finished_at: None,
        }
    }

    /// A block that carries these bytes, base64-encoded. `media_type` is a MIME type such as `image/png`.
    #[must_use]
    pub fn from_bytes(media_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(Base64Source { data: BASE64.encode(bytes), media_type: media_type.into() })
    }

    /// A block that points to a URL. `media_type` is a MIME type such as `image/png`.
    #[must_use]
    pub fn from_url(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(UrlSource { url: url.into(), media_type: media_type.into() })
    }

    /// The same block with a file name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The same block under the given id.
    #[must_use]
    pub fn with_id(mut self, id: impl Into<BlockId>) -> Self {
        self.id = id.into();
        self
    }
}

/// Where the bytes of a [`DataBlock`] are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum DataSource {
    /// In the block, base64-encoded.
    Base64(Base64Source),
    /// Behind a URL.
    Url(UrlSource),
}

impl From<Base64Source> for DataSource {
    fn from(source: Base64Source) -> Self {
        Self::Base64(source)
    }
}

impl From<UrlSource> for DataSource {
    fn from(source: UrlSource) -> Self {
        Self::Url(source)
    }
}

/// Bytes inside the block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base64Source {
    /// The bytes in standard base64 with padding.
    pub data: String,
    /// The MIME type of the bytes.
    pub media_type: String,
}

impl Base64Source {
    /// Appends the bytes of `next`. Each piece is encoded by itself, so the bytes are joined and encoded anew; pieces
    /// that are not valid base64 are joined as texts, so that nothing is lost.
    pub(crate) fn append(&mut self, next: Self) {
        const QUANTUM: usize = 4;
        // Only the last four characters may hold a part of three bytes; decoding more would cost the whole each time.
        let start = self.data.len().saturating_sub(QUANTUM);
        let tail = self.data.get(start..).filter(|_| self.data.len().is_multiple_of(QUANTUM));
        match (tail.map(|tail| BASE64.decode(tail)), BASE64.decode(&next.data)) {
            (Some(Ok(mut bytes)), Ok(more)) => {
                bytes.extend_from_slice(&more);
                self.data.truncate(start);
                BASE64.encode_string(bytes, &mut self.data);
            }
            _ => self.data.push_str(&next.data),
        }
        if !next.media_type.is_empty() {
            self.media_type = next.media_type;
        }
    }
}

/// Bytes behind a URL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UrlSource {
    /// The URL.
    pub url: String,
    /// The MIME type of what the URL gives.
    pub media_type: String,
}
