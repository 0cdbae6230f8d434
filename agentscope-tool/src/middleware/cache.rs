//! Results that are given again.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use moka::sync::Cache as Entries;
use serde_json::{Map, Value};

use super::{Next, ToolMiddleware};
use crate::content::{ContentBlock, DataSource, ToolChunk, ToolResultState};
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolContext, ToolInput};

/// Gives the result of an earlier call with the same arguments, for tools that only read. Clones share their entries.
///
/// Only whole results without a failure are kept. Tools that use the agent's state get results of their own
/// conversation alone; whether those of an application's state may be shared by all is for whoever adds the cache to
/// know. The arguments are compared as JSON, in whatever order their names come.
///
/// ```
/// use std::time::Duration;
/// use agentscope_tool::middleware::Cache;
/// use agentscope_tool::prelude::*;
///
/// # use std::sync::atomic::{AtomicU32, Ordering};
/// # static CALLS: AtomicU32 = AtomicU32::new(0);
/// /// Look a word up.
/// #[tool(read_only)]
/// async fn look_up(/** The word. */ word: String) -> String {
/// #   CALLS.fetch_add(1, Ordering::Relaxed);
///     format!("{word}: a word")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let look_up = LookUp.with_middleware(Cache::for_at_most(Duration::from_secs(60)));
/// for _ in 0..3 {
///     testing::call(look_up.clone(), serde_json::json!({ "word": "tool" })).await;
/// }
/// # assert_eq!(CALLS.load(Ordering::Relaxed), 1);
/// # }
/// ```
#[derive(Clone)]
pub struct Cache {
    entries: Entries<String, Arc<[ToolChunk]>>,
    ttl: Duration,
}

/// How large all results may be together, unless otherwise said.
const BYTES: u64 = 16 * 1024 * 1024;

impl Cache {
    /// Keeps results for at most that long, and 16 MiB of them in all. A result of more than a quarter of that is not kept.
    #[must_use]
    pub fn for_at_most(ttl: Duration) -> Self {
        Self { entries: entries(ttl, BYTES), ttl }
    }

    /// How many bytes of results are kept in all.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.entries = entries(self.ttl, bytes);
        self
    }

    /// Forgets all results.
    pub fn clear(&self) {
        self.entries.invalidate_all();
    }
}

fn entries(ttl: Duration, bytes: u64) -> Entries<String, Arc<[ToolChunk]>> {
    let weight = |key: &String, chunks: &Arc<[ToolChunk]>| {
        let size: usize = chunks.iter().map(size).sum();
        u32::try_from(key.len() + size).unwrap_or(u32::MAX)
    };
    Entries::builder().max_capacity(bytes).weigher(weight).time_to_live(ttl).build()
}

/// About how many bytes a chunk has.
fn size(chunk: &ToolChunk) -> usize {
    let block = |block: &ContentBlock| match block {
        ContentBlock::Text(text) => text.text.len(),
        ContentBlock::Data(data) => match &data.source {
            DataSource::Base64(source) => source.data.len(),
            DataSource::Url(source) => source.url.len(),
        },
    };
    let metadata = if chunk.metadata.is_empty() { 0 } else { Value::Object(chunk.metadata.clone()).to_string().len() };
    64 + chunk.content.iter().map(block).sum::<usize>() + metadata
}

/// What calls have in common that have one result.
fn key(tool: &dyn Tool, input: &ToolInput, cx: &ToolContext) -> String {
    let spec = tool.spec();
    let session = if spec.is_state_injected() { cx.agent_state().session_id() } else { String::new() };
    let arguments = sorted(&Value::Object(input.arguments().clone()));
    Value::from(vec![spec.mcp().unwrap_or_default().into(), spec.name().into(), session.into(), arguments]).to_string()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), sorted(value))).collect();
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            Value::Object(members.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        scalar => scalar.clone(),
    }
}

impl ToolMiddleware for Cache {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        if !tool.spec().is_read_only() {
            return next.run(input);
        }
        let key = key(&*tool, &input, next.context());
        if let Some(chunks) = self.entries.get(&key) {
            let again = (0..chunks.len()).map(move |index| Ok(chunks[index].clone()));
            return ToolStream::new(stream::iter(again));
        }
        let keep = Keep { cache: self, key, stream: next.run(input), chunks: Vec::new(), size: 0, is_good: true };
        ToolStream::new(stream::unfold(Some(keep), Keep::next))
    }
}

/// A result that is kept once it is whole.
struct Keep {
    cache: Arc<Cache>,
    key: String,
    stream: ToolStream,
    chunks: Vec<ToolChunk>,
    size: usize,
    /// Whether it may be kept so far.
    is_good: bool,
}

impl Keep {
    async fn next(keep: Option<Self>) -> Option<(Result<ToolChunk, ToolError>, Option<Self>)> {
        let mut keep = keep?;
        match keep.stream.next().await {
            Some(Ok(chunk)) => {
                keep.size += size(&chunk);
                keep.is_good &= matches!(chunk.state, ToolResultState::Success | ToolResultState::Running);
                // What is too large to stay is not collected either.
                keep.is_good &= keep.size as u64 <= keep.cache.entries.policy().max_capacity().unwrap_or(BYTES) / 4;
                if keep.is_good {
                    keep.chunks.push(chunk.clone());
                } else {
                    keep.chunks = Vec::new();
                }
                Some((Ok(chunk), Some(keep)))
            }
            Some(Err(error)) => Some((Err(error), None)),
            None => {
                if keep.is_good {
                    keep.cache.entries.insert(keep.key, keep.chunks.into());
                }
                None
            }
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cache").field("ttl", &self.ttl).field("entries", &self.entries.entry_count()).finish()
    }
}
