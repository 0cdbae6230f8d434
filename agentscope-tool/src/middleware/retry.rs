//! Calling again what has failed.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};

use super::{Next, ToolMiddleware};
use crate::content::ToolChunk;
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolInput};

type Predicate = Arc<dyn Fn(&ToolError) -> bool + Send + Sync>;

/// Makes a failed call again, after a while that doubles each time.
///
/// Only errors that say so ([`ToolError::is_retryable`]) are worth another try, unless a
/// [predicate](Self::when) decides. A call of which a chunk has been passed on is not made again, since its text would
/// come twice. A result with the state `error` is a result, not a failure.
///
/// Needs a Tokio runtime with its time driver.
///
/// ```
/// use std::time::Duration;
/// use agentscope_tool::middleware::Retry;
/// use agentscope_tool::prelude::*;
///
/// # use std::sync::atomic::{AtomicU32, Ordering};
/// # static CALLS: AtomicU32 = AtomicU32::new(0);
/// /// Ask a server that fails now and then.
/// #[tool]
/// async fn ask_server() -> Result<&'static str, ToolError> {
/// #   if CALLS.fetch_add(1, Ordering::Relaxed) < 2 {
///     return Err(ToolError::failed("the server is busy").retryable());
/// #   }
/// #   Ok("answer")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let retry = Retry::times(3).backoff(Duration::from_millis(1), Duration::from_millis(10));
/// let response = testing::call(AskServer.with_middleware(retry), serde_json::json!({})).await;
/// assert_eq!(response.text(), "answer");
/// # }
/// ```
#[derive(Clone)]
pub struct Retry {
    attempts: u32,
    first: Duration,
    longest: Duration,
    jitter: bool,
    after_output: bool,
    when: Predicate,
}

impl Retry {
    /// At most that many calls in all, the first included.
    #[must_use]
    pub fn times(attempts: u32) -> Self {
        Self {
            attempts: attempts.max(1),
            first: Duration::from_millis(100),
            longest: Duration::from_secs(10),
            jitter: true,
            after_output: false,
            when: Arc::new(ToolError::is_retryable),
        }
    }

    /// How long to wait before the second call, and at most before a later one. Default: 100 ms and 10 s.
    #[must_use]
    pub fn backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first = first;
        self.longest = longest;
        self
    }

    /// Whether each wait is cut to between a half and all of it at random, so that callers do not all come back at once.
    /// Default: yes.
    #[must_use]
    pub fn jitter(mut self, yes: bool) -> Self {
        self.jitter = yes;
        self
    }

    /// Which errors are worth another try.
    #[must_use]
    pub fn when(mut self, predicate: impl Fn(&ToolError) -> bool + Send + Sync + 'static) -> Self {
        self.when = Arc::new(predicate);
        self
    }

    /// Makes calls again also when chunks of them have been passed on. Whoever reads the result then reads them twice.
    #[must_use]
    pub fn after_output(mut self) -> Self {
        self.after_output = true;
        self
    }

    fn pause(&self, failed: u32) -> Duration {
        let factor = 2_u32.saturating_pow(failed.saturating_sub(1));
        let pause = self.first.saturating_mul(factor).min(self.longest);
        if self.jitter { pause.mul_f64(0.5 + fastrand::f64() / 2.0) } else { pause }
    }
}

/// A call that may be made again.
struct Attempts {
    retry: Arc<Retry>,
    input: ToolInput,
    next: Next,
    current: ToolStream,
    /// How many calls have failed.
    failed: u32,
    passed_on: bool,
}

impl Attempts {
    async fn next(mut self) -> Option<(Result<ToolChunk, ToolError>, Self)> {
        loop {
            let error = match self.current.next().await? {
                Ok(chunk) => {
                    self.passed_on = true;
                    return Some((Ok(chunk), self));
                }
                Err(error) => error,
            };
            self.failed += 1;
            let may_repeat = !self.passed_on || self.retry.after_output;
            if self.failed >= self.retry.attempts || !may_repeat || !(self.retry.when)(&error) {
                return Some((Err(error), self));
            }
            // What the failed call has left is gone before the next one begins.
            self.current = ToolStream::error(ToolError::Interrupted);
            tracing::debug!(%error, failed = self.failed, "a tool call is made again");
            tokio::time::sleep(self.retry.pause(self.failed)).await;
            self.current = self.next.clone().run(self.input.clone());
        }
    }
}

impl ToolMiddleware for Retry {
    fn on_tool_call(self: Arc<Self>, _: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        let current = next.clone().run(input.clone());
        let attempts = Attempts { retry: self, input, next, current, failed: 0, passed_on: false };
        ToolStream::new(stream::unfold(attempts, Attempts::next))
    }
}

impl fmt::Debug for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry")
            .field("attempts", &self.attempts)
            .field("first", &self.first)
            .field("longest", &self.longest)
            .finish_non_exhaustive()
    }
}
