//! What runs around tools: logging, retries, limits, caches.
//!
//! A [`ToolMiddleware`] wraps the calls of one tool ([`ToolExt::with_middleware`](crate::ToolExt::with_middleware)) or
//! of all tools of a toolkit ([`ToolkitBuilder::middleware`](crate::ToolkitBuilder::middleware)). The first that was
//! added is the outermost, and those of a toolkit lie outside of a tool's own. They run when the tool runs: after the
//! permission check, and also when the tool is called without a toolkit.
//!
//! Some are there already, each with the cargo feature of its name: `Trace`, `Retry`, `Timeout`, `RateLimit`,
//! `ConcurrencyLimit`, `Cache`, `TruncateOutput`. The feature `middleware` stands for all of them.

#[cfg(feature = "cache")]
mod cache;
#[cfg(feature = "concurrency-limit")]
mod concurrency_limit;
mod from_fn;
#[cfg(any(feature = "concurrency-limit", feature = "rate-limit"))]
mod key;
mod layered;
mod next;
#[cfg(feature = "rate-limit")]
mod rate_limit;
#[cfg(feature = "retry")]
mod retry;
#[cfg(feature = "timeout")]
mod timeout;
#[cfg(feature = "trace")]
mod trace;
#[cfg(feature = "truncate-output")]
mod truncate_output;

use std::sync::Arc;

#[cfg(feature = "cache")]
pub use cache::Cache;
#[cfg(feature = "concurrency-limit")]
pub use concurrency_limit::ConcurrencyLimit;
pub use from_fn::{AfterCall, BeforeCall, FromFn, after, before, from_fn};
pub use layered::LayeredTool;
pub(crate) use layered::{layered, unlayered};
pub use next::Next;
#[cfg(feature = "rate-limit")]
pub use rate_limit::RateLimit;
#[cfg(feature = "retry")]
pub use retry::Retry;
#[cfg(feature = "timeout")]
pub use timeout::Timeout;
#[cfg(feature = "trace")]
pub use trace::Trace;
#[cfg(feature = "truncate-output")]
pub use truncate_output::TruncateOutput;

use crate::output::ToolStream;
use crate::tool::{Tool, ToolInput};

/// Something that runs around a tool's calls.
///
/// It gets the input before the tool does, and the chunks before the caller does: it may change either, answer itself,
/// or have the rest of the call run several times. Tools that answer in one piece and tools that stream look alike.
/// Errors come as errors and not as chunks yet.
///
/// What has to happen around a call without touching its chunks is simpler with [`from_fn`], [`before`] or [`after`].
///
/// ```
/// use std::sync::Arc;
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::middleware::Next;
/// use serde_json::json;
///
/// struct Logging;
///
/// impl ToolMiddleware for Logging {
///     fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
///         println!("calling {} with {input}", tool.name());
///         next.run(input).inspect_end(move |state| println!("{} finished: {state}", tool.name()))
///     }
/// }
///
/// /// Double a number.
/// #[tool]
/// async fn double(/** The number. */ n: u32) -> u32 { n * 2 }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let double = Double.with_middleware(Logging);
/// assert_eq!(testing::call(double, json!({ "n": 21 })).await.text(), "42");
/// # }
/// ```
pub trait ToolMiddleware: Send + Sync + 'static {
    /// Runs around one call. `tool` is the tool behind all middleware of the same chain; `next` runs the rest of the call.
    ///
    /// As with a tool, nothing may happen before the stream is polled that costs more than a moment, and dropping the
    /// stream has to stop the work.
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream;
}

impl<M: ToolMiddleware + ?Sized> ToolMiddleware for Arc<M> {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        Arc::clone(&*self).on_tool_call(tool, input, next)
    }
}
