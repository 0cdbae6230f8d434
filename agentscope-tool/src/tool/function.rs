//! Tools made at run time from a closure.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde_json::Value;

use super::{SpecBuilder, SpecError, Tool, ToolArgs, ToolContext, ToolInput, ToolSpec, default_decision};
use crate::output::{IntoToolOutput, ToolStream};
use crate::permission::{PermissionContext, PermissionDecision};

type Body = Box<dyn Fn(ToolInput, ToolContext) -> ToolStream + Send + Sync>;

/// A tool made at run time from a closure, with typed arguments or with a schema that is only known then.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// #[tool_args]
/// struct Greeting {
///     /// Whom to greet.
///     name: String,
/// }
///
/// let greet = FunctionTool::new("greet", "Greet somebody.", |args: Greeting, _cx| async move {
///     format!("Hello, {}!", args.name)
/// })
/// .read_only(true)
/// .build()?;
///
/// let schema = json!({ "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] });
/// let double = FunctionTool::with_schema("double", "Double a number.", schema, |input, _cx| async move {
///     Ok::<_, ToolError>(input.arg::<i64>("n")? * 2)
/// })
/// .build()?;
///
/// let toolkit = Toolkit::builder().tool(greet).tool(double).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FunctionTool {
    spec: ToolSpec,
    body: Body,
    decision: Option<PermissionDecision>,
}

impl FunctionTool {
    /// A tool whose arguments are decoded into `A`.
    #[expect(clippy::new_ret_no_self, reason = "flags may follow before the tool is built")]
    pub fn new<A, F, R>(name: impl Into<String>, description: impl Into<String>, function: F) -> FunctionToolBuilder
    where
        A: ToolArgs,
        F: Fn(A, ToolContext) -> R + Send + Sync + 'static,
        R: Future + Send + 'static,
        R::Output: IntoToolOutput,
    {
        let body: Body = Box::new(move |input, cx| match input.into_args::<A>() {
            Ok(args) => ToolStream::once(function(args, cx)),
            Err(error) => ToolStream::error(error.into()),
        });
        FunctionToolBuilder { spec: ToolSpec::builder(name, description).arguments::<A>(), body, decision: None }
    }

    /// A tool with a literal schema. The schema decides for itself about arguments that it does not list.
    pub fn with_schema<F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
        function: F,
    ) -> FunctionToolBuilder
    where
        F: Fn(ToolInput, ToolContext) -> R + Send + Sync + 'static,
        R: Future + Send + 'static,
        R::Output: IntoToolOutput,
    {
        let body: Body = Box::new(move |input, cx| ToolStream::once(function(input, cx)));
        let spec = ToolSpec::builder(name, description).input_schema(schema);
        FunctionToolBuilder { spec, body, decision: None }
    }
}

#[async_trait]
impl Tool for FunctionTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream {
        (self.body)(input, cx)
    }

    async fn check_permissions(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        self.decision.clone().unwrap_or_else(|| default_decision(&self.spec))
    }
}

impl fmt::Debug for FunctionTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionTool").field("spec", &self.spec).finish_non_exhaustive()
    }
}

/// Makes a [`FunctionTool`].
#[must_use]
pub struct FunctionToolBuilder {
    spec: SpecBuilder,
    body: Body,
    decision: Option<PermissionDecision>,
}

impl FunctionToolBuilder {
    /// Another name.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with(|spec| spec.rename(name.into()))
    }

    /// Another description.
    pub fn description(self, description: impl Into<String>) -> Self {
        self.with(|spec| spec.redescribe(description.into()))
    }

    /// Whether every call only reads. Default: no.
    pub fn read_only(self, yes: bool) -> Self {
        self.with(|spec| spec.read_only(yes))
    }

    /// Whether calls may run beside others. Default: yes.
    pub fn concurrency_safe(self, yes: bool) -> Self {
        self.with(|spec| spec.concurrency_safe(yes))
    }

    /// Whether the closure uses the agent's state. Default: no.
    pub fn state_injected(self, yes: bool) -> Self {
        self.with(|spec| spec.state_injected(yes))
    }

    /// Requires a state of type `T`, so that a toolkit without it is refused.
    pub fn state<T: ?Sized + Send + Sync + 'static>(self) -> Self {
        self.with(SpecBuilder::state::<T>)
    }

    /// The schema of the result.
    pub fn output<T: JsonSchema>(self) -> Self {
        self.with(SpecBuilder::output::<T>)
    }

    /// A name for people.
    pub fn title(self, title: impl Into<String>) -> Self {
        self.with(|spec| spec.title(title))
    }

    /// Hints whether the tool may destroy something.
    pub fn destructive(self, yes: bool) -> Self {
        self.with(|spec| spec.destructive(yes))
    }

    /// Hints whether calling it again with the same arguments changes nothing more.
    pub fn idempotent(self, yes: bool) -> Self {
        self.with(|spec| spec.idempotent(yes))
    }

    /// Hints whether the tool deals with an open world, such as the web.
    pub fn open_world(self, yes: bool) -> Self {
        self.with(|spec| spec.open_world(yes))
    }

    /// What the tool thinks of every call. Default: that somebody has to be asked.
    pub fn permission(mut self, decision: PermissionDecision) -> Self {
        self.decision = Some(decision);
        self
    }

    /// The tool.
    ///
    /// # Errors
    /// When the name, the description or the schema cannot be used; the error has all faults.
    pub fn build(self) -> Result<FunctionTool, InvalidSpec> {
        let spec = self.spec.build();
        if spec.faults().is_empty() {
            return Ok(FunctionTool { spec, body: self.body, decision: self.decision });
        }
        Err(InvalidSpec { tool: spec.name().to_owned(), faults: spec.faults().to_vec() })
    }

    fn with(mut self, change: impl FnOnce(SpecBuilder) -> SpecBuilder) -> Self {
        self.spec = change(self.spec);
        self
    }
}

impl fmt::Debug for FunctionToolBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FunctionToolBuilder").field("spec", &self.spec).finish_non_exhaustive()
    }
}

/// A tool that cannot be made, with all that is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("tool `{tool}`: {}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct InvalidSpec {
    /// The tool's name.
    pub tool: String,
    /// The faults.
    pub faults: Vec<SpecError>,
}
