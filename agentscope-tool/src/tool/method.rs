//! Tools that are the methods of one object.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Tool, ToolContext, ToolInput, ToolSpec, default_decision};
use crate::__private::Hook;
use crate::output::ToolStream;
use crate::permission::{PermissionContext, PermissionDecision};

/// One object, many tools. Implemented by `#[toolset]` on the object's `impl` block.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// struct Counter { start: u32 }
///
/// #[toolset]
/// impl Counter {
///     /// Count on from the start.
///     #[tool(read_only)]
///     async fn count(&self, /** How far. */ by: u32) -> u32 { self.start + by }
/// }
///
/// let toolkit = Toolkit::builder().toolset(Counter { start: 40 }).build()?;
/// assert!(toolkit.get("count").is_some());
/// # Ok::<(), agentscope_tool::ToolkitError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools",
    note = "put `#[toolset]` on its `impl` block and `#[tool]` on the methods"
)]
pub trait Toolset: Send + Sync + 'static {
    /// The tools, all on this object.
    fn tools(self: Arc<Self>) -> Vec<Arc<dyn Tool>>;
}

/// What can be given where a toolset is wanted: the object, or an `Arc` of it.
///
/// `M` only tells the two apart; it is never named.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set of tools",
    note = "put `#[toolset]` on its `impl` block and `#[tool]` on the methods"
)]
pub trait IntoToolset<M> {
    /// The tools of the set.
    fn into_tools(self) -> Vec<Arc<dyn Tool>>;
}

/// Marks a toolset given by value.
#[derive(Debug)]
pub enum OwnedSet {}

/// Marks a toolset given in an `Arc`.
#[derive(Debug)]
pub enum SharedSet {}

impl<S: Toolset> IntoToolset<OwnedSet> for S {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        Arc::new(self).tools()
    }
}

impl<S: Toolset> IntoToolset<SharedSet> for Arc<S> {
    fn into_tools(self) -> Vec<Arc<dyn Tool>> {
        self.tools()
    }
}

/// What decides about the calls of a method, with the object first.
type Check<S> = for<'a> fn(&'a S, &'a ToolInput, &'a PermissionContext) -> Hook<'a, PermissionDecision>;

/// A method of an object as a tool.
#[derive(Debug)]
pub struct MethodTool<S> {
    object: Arc<S>,
    spec: &'static ToolSpec,
    call: fn(Arc<S>, ToolInput, ToolContext) -> ToolStream,
    check: Option<Check<S>>,
}

impl<S: Send + Sync + 'static> MethodTool<S> {
    /// The method `call` of `object`.
    #[must_use]
    #[expect(clippy::new_ret_no_self, reason = "a toolset is a list of tools of any type")]
    pub fn new(
        object: Arc<S>,
        spec: &'static ToolSpec,
        call: fn(Arc<S>, ToolInput, ToolContext) -> ToolStream,
    ) -> Arc<dyn Tool> {
        Arc::new(Self { object, spec, call, check: None })
    }

    /// The method `call` of `object`, where `check` is the tool's own say in permissions instead of "ask".
    #[must_use]
    pub fn with_permission(
        object: Arc<S>,
        spec: &'static ToolSpec,
        call: fn(Arc<S>, ToolInput, ToolContext) -> ToolStream,
        check: Check<S>,
    ) -> Arc<dyn Tool> {
        Arc::new(Self { object, spec, call, check: Some(check) })
    }
}

#[async_trait]
impl<S: Send + Sync + 'static> Tool for MethodTool<S> {
    fn spec(&self) -> &ToolSpec {
        self.spec
    }

    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream {
        (self.call)(Arc::clone(&self.object), input, cx)
    }

    async fn check_permissions(&self, input: &ToolInput, cx: &PermissionContext) -> PermissionDecision {
        match self.check {
            Some(check) => check(&self.object, input, cx).await,
            None => default_decision(self.spec),
        }
    }
}
