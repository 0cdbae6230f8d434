//! Whatever can stand for a tool, and what can be done with all of it.

use std::sync::Arc;

use serde_json::Value;

use super::{Tool, ToolContext};
use crate::middleware::{ToolMiddleware, layered};
use crate::toolkit::CallStream;

/// What can be given where a tool is wanted: a tool, a reference to one that can be cloned, or an `Arc` of one (an
/// `Arc<dyn Tool>` too).
///
/// `M` only tells these apart; it is never named.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "tools come from `#[tool]` on a function (the tool is the type `UpperCamelCase`, not the function), `#[derive(Tool)]` on a struct, `FunctionTool`, or `impl Tool`"
)]
pub trait IntoTool<M> {
    /// The tool, shared.
    fn into_tool(self) -> Arc<dyn Tool>;
}

/// Marks a tool given by value.
#[derive(Debug)]
pub enum Owned {}

/// Marks a tool given in an `Arc`.
#[derive(Debug)]
pub enum Shared {}

/// Marks a tool given by reference.
#[derive(Debug)]
pub enum Borrowed {}

impl<T: Tool> IntoTool<Owned> for T {
    fn into_tool(self) -> Arc<dyn Tool> {
        Arc::new(self)
    }
}

impl<T: Tool> IntoTool<(Shared, T)> for Arc<T> {
    fn into_tool(self) -> Arc<dyn Tool> {
        self
    }
}

impl IntoTool<Shared> for Arc<dyn Tool> {
    fn into_tool(self) -> Arc<dyn Tool> {
        self
    }
}

impl<M, T: Clone + IntoTool<M>> IntoTool<(Borrowed, M)> for &T {
    fn into_tool(self) -> Arc<dyn Tool> {
        self.clone().into_tool()
    }
}

/// What can be done with every tool.
pub trait ToolExt<M>: IntoTool<M> + Sized {
    /// Calls the tool directly, with arguments that are checked as a toolkit checks them.
    ///
    /// ```
    /// use agentscope_tool::prelude::*;
    /// use serde_json::json;
    ///
    /// /// Double a number.
    /// #[tool]
    /// async fn double(/** The number. */ n: u32) -> u32 { n * 2 }
    ///
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// let response = Double.invoke(json!({ "n": 21 }), ToolContext::default()).response().await;
    /// assert_eq!(response.text(), "42");
    /// # }
    /// ```
    fn invoke(self, arguments: impl Into<Arguments>, cx: ToolContext) -> CallStream {
        CallStream::invoke(self.into_tool(), arguments.into(), cx)
    }

    /// The tool with something around its calls, inside of what was added before: the first that is added is the
    /// outermost.
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
    /// let refuse = middleware::before(|_, _, _| Err(ToolError::failed("not today")));
    /// assert_eq!(testing::call(Hello.with_middleware(refuse), json!({})).await.text(), "not today");
    /// # }
    /// ```
    #[must_use]
    fn with_middleware(self, middleware: impl ToolMiddleware) -> Arc<dyn Tool> {
        layered(self.into_tool(), Arc::new(middleware))
    }
}

impl<M, T: IntoTool<M>> ToolExt<M> for T {}

/// The arguments of a direct call: JSON, or text as a model writes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Arguments {
    /// A JSON value.
    Value(Value),
    /// JSON text, repaired where a model's would be.
    Text(String),
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}
