//! How many calls begin in some time.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::key::Key;
use super::{Next, ToolMiddleware};
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolContext, ToolInput};

/// How many keys are kept before those that have not been used for long are dropped.
const KEYS: usize = 1024;

/// Lets only so many calls begin in some time; the others wait, or are refused. Clones share the limit.
///
/// Needs a Tokio runtime with its time driver.
///
/// ```
/// use agentscope_tool::middleware::RateLimit;
/// use agentscope_tool::prelude::*;
///
/// let limit = RateLimit::per_minute(60).burst(5).per_tool().refusing();
/// let toolkit = Toolkit::builder().middleware(limit).build()?;
/// # Ok::<(), ToolkitError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RateLimit {
    quota: Quota,
    key: Key,
    refuses: bool,
    limiter: Arc<DefaultKeyedRateLimiter<String>>,
}

impl RateLimit {
    /// That many calls a second, at least one.
    #[must_use]
    pub fn per_second(calls: u32) -> Self {
        Self::new(Quota::per_second(at_least_one(calls)))
    }

    /// That many calls a minute, at least one.
    #[must_use]
    pub fn per_minute(calls: u32) -> Self {
        Self::new(Quota::per_minute(at_least_one(calls)))
    }

    fn new(quota: Quota) -> Self {
        Self { quota, key: Key::Shared, refuses: false, limiter: Arc::new(RateLimiter::keyed(quota)) }
    }

    /// How many calls may begin at once after a rest, at least one. Default: as many as in the whole time.
    #[must_use]
    pub fn burst(mut self, calls: u32) -> Self {
        self.quota = self.quota.allow_burst(at_least_one(calls));
        self.limiter = Arc::new(RateLimiter::keyed(self.quota));
        self
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

    /// Refuses calls that would have to wait, and says how long.
    #[must_use]
    pub fn refusing(mut self) -> Self {
        self.refuses = true;
        self
    }

    /// How long a call has to wait, or nothing if it may begin.
    fn wait(&self, key: &String) -> Option<Duration> {
        if self.limiter.len() > KEYS {
            self.limiter.retain_recent();
        }
        let not_until = self.limiter.check_key(key).err()?;
        Some(not_until.wait_time_from(DefaultClock::default().now()))
    }
}

fn at_least_one(calls: u32) -> NonZeroU32 {
    NonZeroU32::new(calls).unwrap_or(NonZeroU32::MIN)
}

impl ToolMiddleware for RateLimit {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        let key = self.key.of(&*tool, &input, next.context());
        ToolStream::once(async move {
            while let Some(wait) = self.wait(&key) {
                if self.refuses {
                    let seconds = wait.as_secs_f64().ceil().max(1.0);
                    let message = format!("The tool was called too often. Try again in {seconds} s.");
                    return Err(ToolError::failed(message).retryable());
                }
                tokio::time::sleep(wait).await;
            }
            Ok(next.run(input))
        })
    }
}
