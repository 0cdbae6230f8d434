//! Middleware that is a function.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::{Next, ToolMiddleware};
use crate::content::ToolResultState;
use crate::error::ToolError;
use crate::output::{IntoToolOutput, ToolStream};
use crate::tool::{Tool, ToolContext, ToolInput};

/// Middleware from an async closure, which gets the tool, the input and the rest of the call, and returns what a tool may
/// return: mostly the stream of [`Next::run`].
///
/// ```
/// use agentscope_tool::middleware;
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// /// Say hello.
/// #[tool]
/// async fn hello() -> &'static str { "hello" }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let closed = middleware::from_fn(async |tool, _input, _next| format!("{} is closed today", tool.name()));
/// assert_eq!(testing::call(Hello.with_middleware(closed), json!({})).await.text(), "hello is closed today");
/// # }
/// ```
pub fn from_fn<F, Fut>(function: F) -> FromFn<F>
where
    F: Fn(Arc<dyn Tool>, ToolInput, Next) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: IntoToolOutput,
{
    FromFn(function)
}

/// Middleware that [`from_fn`] makes.
#[derive(Clone, Copy)]
pub struct FromFn<F>(F);

impl<F, Fut> ToolMiddleware for FromFn<F>
where
    F: Fn(Arc<dyn Tool>, ToolInput, Next) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: IntoToolOutput,
{
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        ToolStream::once((self.0)(tool, input, next))
    }
}

/// Middleware that looks at each call before it runs, and may refuse it.
///
/// ```
/// use agentscope_tool::middleware;
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// /// Buy something.
/// #[tool]
/// async fn buy(/** The price. */ price: u32) -> String { format!("bought for {price}") }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let thrifty = middleware::before(|_tool, input, _cx| match input.arg::<u32>("price")? {
///     ..100 => Ok(()),
///     _ => Err(ToolError::failed("that is too expensive")),
/// });
/// let buy = Buy.with_middleware(thrifty);
/// assert_eq!(testing::call(buy.clone(), json!({ "price": 7 })).await.text(), "bought for 7");
/// assert_eq!(testing::call(buy, json!({ "price": 700 })).await.text(), "that is too expensive");
/// # }
/// ```
pub fn before<F>(look: F) -> BeforeCall<F>
where
    F: Fn(&dyn Tool, &ToolInput, &ToolContext) -> Result<(), ToolError> + Send + Sync + 'static,
{
    BeforeCall(look)
}

/// Middleware that [`before`] makes.
#[derive(Clone, Copy)]
pub struct BeforeCall<F>(F);

impl<F> ToolMiddleware for BeforeCall<F>
where
    F: Fn(&dyn Tool, &ToolInput, &ToolContext) -> Result<(), ToolError> + Send + Sync + 'static,
{
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        match (self.0)(&*tool, &input, next.context()) {
            Ok(()) => next.run(input),
            Err(error) => ToolStream::error(error),
        }
    }
}

/// Middleware that learns how each call has ended. A call that is dropped before its end was interrupted.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use agentscope_tool::middleware;
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// /// Fail.
/// #[tool]
/// async fn fail() -> Result<(), &'static str> { Err("no") }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let failures = Arc::new(AtomicUsize::new(0));
/// let counter = Arc::clone(&failures);
/// let count = middleware::after(move |_tool, state, _cx| {
///     if state == ToolResultState::Error {
///         counter.fetch_add(1, Ordering::Relaxed);
///     }
/// });
/// testing::call(Fail.with_middleware(count), json!({})).await;
/// assert_eq!(failures.load(Ordering::Relaxed), 1);
/// # }
/// ```
pub fn after<F>(look: F) -> AfterCall<F>
where
    F: Fn(&dyn Tool, ToolResultState, &ToolContext) + Send + Sync + 'static,
{
    AfterCall(look)
}

/// Middleware that [`after`] makes.
#[derive(Clone, Copy)]
pub struct AfterCall<F>(F);

impl<F> ToolMiddleware for AfterCall<F>
where
    F: Fn(&dyn Tool, ToolResultState, &ToolContext) + Send + Sync + 'static,
{
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        let cx = next.context().clone();
        next.run(input).inspect_end(move |state| (self.0)(&*tool, state, &cx))
    }
}

macro_rules! opaque {
    ($($name:ident),*) => {$(
        impl<F> fmt::Debug for $name<F> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

opaque!(FromFn, BeforeCall, AfterCall);
