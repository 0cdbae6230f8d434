//! Results that are too long for a model.

use std::fmt;
use std::sync::Arc;

use futures_util::{StreamExt as _, stream};

use super::{Next, ToolMiddleware};
use crate::backend::{Backend, WriteOptions};
use crate::content::{ContentBlock, ToolChunk, ToolResultState};
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolInput};

type Measure = Arc<dyn Fn(&str) -> usize + Send + Sync>;

/// Keeps the first and the last part of a text that is too long, and says how much is left out between them. Data that
/// is not text passes.
///
/// The first part is passed on as it comes. With [`measured_by`](Self::measured_by), for example with a counter of
/// tokens, nothing is passed on before the end, since only the whole can be measured.
///
/// ```
/// use agentscope_tool::middleware::TruncateOutput;
/// use agentscope_tool::prelude::*;
///
/// /// Talk.
/// #[tool]
/// async fn talk() -> String { "a".repeat(20) + &"b".repeat(20) }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let talk = Talk.with_middleware(TruncateOutput::to(10));
/// let response = testing::call(talk, serde_json::json!({})).await;
/// assert_eq!(response.text(), "aaaaa\n[30 characters are left out here]\nbbbbb");
/// # }
/// ```
#[derive(Clone)]
pub struct TruncateOutput {
    limit: usize,
    tail: f64,
    measure: Option<Measure>,
    offload: Option<Offload>,
}

/// Where whole texts go.
#[derive(Clone)]
struct Offload {
    backend: Arc<dyn Backend>,
    directory: String,
}

/// How many bytes of a text are written to a file.
const SAVED: usize = 64 * 1024 * 1024;

impl TruncateOutput {
    /// Lets texts have that many characters, or what else they are [measured by](Self::measured_by). Half of that is for the
    /// end of the text.
    #[must_use]
    pub fn to(limit: usize) -> Self {
        Self { limit, tail: 0.5, measure: None, offload: None }
    }

    /// How much of the limit is for the end of the text, from 0 to 1.
    #[must_use]
    pub fn tail(mut self, part: f64) -> Self {
        self.tail = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 };
        self
    }

    /// Measures texts with this function, such as a counter of tokens, instead of by characters.
    #[must_use]
    pub fn measured_by(mut self, measure: impl Fn(&str) -> usize + Send + Sync + 'static) -> Self {
        self.measure = Some(Arc::new(measure));
        self
    }

    /// Writes the whole of a text that is cut to a file in this directory, of at most 64 MiB, and says where it is. The
    /// files are not removed.
    #[must_use]
    pub fn offload_to(mut self, backend: Arc<dyn Backend>, directory: impl Into<String>) -> Self {
        self.offload = Some(Offload { backend, directory: directory.into() });
        self
    }

    fn tail_characters(&self) -> usize {
        (self.limit as f64 * self.tail) as usize
    }
}

impl ToolMiddleware for TruncateOutput {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        let name = match next.context().call_id() {
            "" => format!("{}-{}", tool.name(), crate::content::new_id()),
            id => format!("{}-{id}", tool.name()),
        };
        let head_left = if self.measure.is_some() { 0 } else { self.limit - self.tail_characters() };
        let state = Cut {
            rules: self,
            file: name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_".contains(c) { c } else { '_' }).collect(),
            stream: Some(next.run(input)),
            head_left,
            rest: String::new(),
            left_out: 0,
            whole: String::new(),
            end: None,
        };
        ToolStream::new(stream::unfold(state, Cut::next))
    }
}

/// A result while it is cut.
struct Cut {
    rules: Arc<TruncateOutput>,
    /// The name of the file for the whole.
    file: String,
    /// Nothing once it is over.
    stream: Option<ToolStream>,
    /// How many characters may still be passed on at once.
    head_left: usize,
    /// The last characters of what was not passed on; all of it if it has to be measured.
    rest: String,
    /// How many characters before the rest are left out.
    left_out: usize,
    /// Everything, if it may be written to a file.
    whole: String,
    /// How the stream has ended, if not well.
    end: Option<ToolError>,
}

impl Cut {
    async fn next(mut self) -> Option<(Result<ToolChunk, ToolError>, Self)> {
        while let Some(stream) = &mut self.stream {
            match stream.next().await {
                Some(Ok(chunk)) => {
                    let chunk = self.pass(chunk);
                    let says_nothing = chunk.content.is_empty()
                        && chunk.metadata.is_empty()
                        && matches!(chunk.state, ToolResultState::Running | ToolResultState::Success);
                    if !says_nothing {
                        return Some((Ok(chunk), self));
                    }
                }
                other => {
                    self.stream = None;
                    self.end = other.and_then(Result::err);
                    if let Some(text) = self.ending().await {
                        return Some((Ok(ToolChunk::text(text)), self));
                    }
                }
            }
        }
        let error = self.end.take()?;
        Some((Err(error), self))
    }

    /// The chunk with as much of its text as may be passed on now.
    fn pass(&mut self, mut chunk: ToolChunk) -> ToolChunk {
        let content = std::mem::take(&mut chunk.content);
        for block in content {
            let ContentBlock::Text(mut block) = block else {
                chunk.content.push(block);
                continue;
            };
            if self.rules.offload.is_some() {
                push_within(&mut self.whole, &block.text, SAVED);
            }
            let end = block.text.char_indices().nth(self.head_left).map_or(block.text.len(), |(at, _)| at);
            self.head_left -= block.text[..end].chars().count();
            self.rest.push_str(&block.text[end..]);
            block.text.truncate(end);
            if !block.text.is_empty() {
                chunk.content.push(block.into());
            }
        }
        if self.rules.measure.is_none() {
            let excess = self.rest.chars().count().saturating_sub(self.rules.tail_characters());
            self.leave_out(excess);
        }
        chunk
    }

    fn leave_out(&mut self, characters: usize) {
        let end = self.rest.char_indices().nth(characters).map_or(self.rest.len(), |(at, _)| at);
        self.rest.drain(..end);
        self.left_out += characters;
    }

    /// What follows what was passed on.
    async fn ending(&mut self) -> Option<String> {
        let rest = std::mem::take(&mut self.rest);
        let Some(measure) = self.rules.measure.clone() else {
            return match (self.left_out, rest.is_empty()) {
                (0, true) => None,
                (0, false) => Some(rest),
                (left_out, _) => Some(format!("\n[{}]\n{rest}", self.note(left_out).await)),
            };
        };
        if rest.is_empty() || measure(&rest) <= self.rules.limit {
            return (!rest.is_empty()).then_some(rest);
        }
        let tail = self.rules.tail_characters();
        let head = fitting(&rest, |end| measure(&rest[..end]) <= self.rules.limit - tail);
        let from = rest.len() - fitting_back(&rest, |start| measure(&rest[start..]) <= tail);
        let from = from.max(head);
        let left_out = rest[head..from].chars().count();
        Some(format!("{}\n[{}]\n{}", &rest[..head], self.note(left_out).await, &rest[from..]))
    }

    async fn note(&mut self, left_out: usize) -> String {
        let mut note = format!("{left_out} characters are left out here");
        if let Some(offload) = &self.rules.offload {
            let path = offload.backend.join(&offload.directory, &format!("{}.txt", self.file));
            let whole = std::mem::take(&mut self.whole);
            match offload.backend.write(&path, whole.into(), WriteOptions::new()).await {
                Ok(_) => note.push_str(&format!("; the whole is in `{path}`")),
                Err(error) => tracing::warn!(%error, "the whole of a result that was cut could not be kept"),
            }
        }
        note
    }
}

fn push_within(whole: &mut String, text: &str, limit: usize) {
    let mut end = text.len().min(limit.saturating_sub(whole.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    whole.push_str(&text[..end]);
}

/// The longest beginning that fits, as its length in bytes.
fn fitting(text: &str, fits: impl Fn(usize) -> bool) -> usize {
    let ends: Vec<usize> = text.char_indices().map(|(at, c)| at + c.len_utf8()).collect();
    match ends.partition_point(|end| fits(*end)) {
        0 => 0,
        count => ends[count - 1],
    }
}

/// The longest end that fits, as its length in bytes.
fn fitting_back(text: &str, fits: impl Fn(usize) -> bool) -> usize {
    let starts: Vec<usize> = text.char_indices().rev().map(|(at, _)| at).collect();
    match starts.partition_point(|start| fits(*start)) {
        0 => 0,
        count => text.len() - starts[count - 1],
    }
}

impl fmt::Debug for TruncateOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TruncateOutput").field("limit", &self.limit).field("tail", &self.tail).finish_non_exhaustive()
    }
}
