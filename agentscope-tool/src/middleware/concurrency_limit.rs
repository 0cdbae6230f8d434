//! How many calls run at a time.

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::key::Key;
use super::{Next, ToolMiddleware};
use crate::content::ToolChunk;
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolContext, ToolInput};

/// Lets only so many calls run at a time; the others wait, in the order in which they came. Clones share the limit.
///
/// ```
/// use agentscope_tool::middleware::ConcurrencyLimit;
/// use agentscope_tool::prelude::*;
///
/// // Two calls at a time for each conversation.
/// let limit = ConcurrencyLimit::new(2).per_key(|_tool, _input, cx| cx.agent_state().session_id());
/// let toolkit = Toolkit::builder().middleware(limit).build()?;
/// # Ok::<(), ToolkitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ConcurrencyLimit {
    limit: usize,
    key: Key,
    /// Those that somebody waits for or holds.
    semaphores: Arc<Mutex<HashMap<String, Weak<Semaphore>>>>,
}

impl ConcurrencyLimit {
    /// At most that many calls at a time, at least one.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit: limit.clamp(1, Semaphore::MAX_PERMITS), key: Key::Shared, semaphores: Arc::default() }
    }

    /// That many for each tool.
    #[must_use]
    pub fn per_tool(mut self) -> Self {
        self.key = Key::Tool;
        self
    }

    /// That many for each key, such as a user or a server.
    #[must_use]
    pub fn per_key<F>(mut self, key: F) -> Self
    where
        F: Fn(&dyn Tool, &ToolInput, &ToolContext) -> String + Send + Sync + 'static,
    {
        self.key = Key::Function(Arc::new(key));
        self
    }

    fn semaphore(&self, key: String) -> Arc<Semaphore> {
        let mut semaphores = self.semaphores.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = semaphores.get(&key).and_then(Weak::upgrade) {
            return known;
        }
        semaphores.retain(|_, semaphore| semaphore.strong_count() > 0);
        let new = Arc::new(Semaphore::new(self.limit));
        semaphores.insert(key, Arc::downgrade(&new));
        new
    }
}

impl ToolMiddleware for ConcurrencyLimit {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        let semaphore = self.semaphore(self.key.of(&*tool, &input, next.context()));
        ToolStream::once(async move {
            let permit = semaphore.acquire_owned().await.map_err(ToolError::developer)?;
            Ok::<_, ToolError>(ToolStream::new(Permitted { stream: next.run(input), permit: Some(permit) }))
        })
    }
}

/// A stream that holds a place until its end.
struct Permitted {
    stream: ToolStream,
    permit: Option<OwnedSemaphorePermit>,
}

impl Stream for Permitted {
    type Item = Result<ToolChunk, ToolError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let item = ready!(self.stream.poll_next_unpin(cx));
        if !matches!(item, Some(Ok(_))) {
            self.permit = None;
        }
        Poll::Ready(item)
    }
}
