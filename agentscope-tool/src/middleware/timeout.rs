//! Calls that take too long.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{FutureExt as _, Stream, StreamExt as _};
use tokio::time::Sleep;

use super::{Next, ToolMiddleware};
use crate::content::ToolChunk;
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolInput};

/// Ends a call that is not over after some time. What it has given so far stays; the work is stopped.
///
/// The error says that another try may succeed, so that a [`Retry`](super::Retry) outside of this makes one.
///
/// Needs a Tokio runtime with its time driver.
///
/// ```
/// use std::time::Duration;
/// use agentscope_tool::middleware::Timeout;
/// use agentscope_tool::prelude::*;
///
/// /// Think about it.
/// #[tool]
/// async fn think() { std::future::pending().await }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let think = Think.with_middleware(Timeout::after(Duration::from_millis(20)));
/// let response = testing::call(think, serde_json::json!({})).await;
/// assert_eq!(response.text(), "The tool was stopped after 20ms, since it took too long.");
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    limit: Duration,
}

impl Timeout {
    /// Ends calls after this time, counted from when the call is first polled.
    #[must_use]
    pub fn after(limit: Duration) -> Self {
        Self { limit }
    }
}

impl ToolMiddleware for Timeout {
    fn on_tool_call(self: Arc<Self>, _: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        ToolStream::new(Limited { stream: Some(next.run(input)), limit: self.limit, over: None })
    }
}

struct Limited {
    /// Nothing once it is over.
    stream: Option<ToolStream>,
    limit: Duration,
    /// Begins with the first poll.
    over: Option<Pin<Box<Sleep>>>,
}

impl Stream for Limited {
    type Item = Result<ToolChunk, ToolError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let limit = self.limit;
        let Some(stream) = &mut self.stream else { return Poll::Ready(None) };
        if let Poll::Ready(item) = stream.poll_next_unpin(cx) {
            return Poll::Ready(item);
        }
        let over = self.over.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        if over.poll_unpin(cx).is_pending() {
            return Poll::Pending;
        }
        self.stream = None;
        let message = format!("The tool was stopped after {limit:?}, since it took too long.");
        Poll::Ready(Some(Err(ToolError::failed(message).retryable())))
    }
}
