//! A tool: what it says of itself, what a call gets, and the ways to make one.

mod body;
mod context;
mod function;
mod handle;
mod input;
mod method;
mod param;
mod spec;

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;

use crate::middleware::LayeredTool;
use crate::output::ToolStream;
use crate::permission::{Footprint, PermissionBehavior, PermissionContext, PermissionDecision, PermissionRule};

pub use body::{ExternalBody, ToolBody};
#[doc(hidden)]
pub use body::{body_hooks, external_hooks};
pub use context::{Progress, ProgressSink, ToolContext, ToolContextBuilder};
pub use function::{FunctionTool, FunctionToolBuilder, InvalidSpec};
pub use handle::{Arguments, IntoTool, ToolExt};
pub(crate) use input::InputIdentity;
pub use input::ToolInput;
pub use method::{IntoToolset, MethodTool, Toolset};
pub use param::{Argument, Param};
pub(crate) use spec::RESERVED_NAMES;
pub use spec::{SpecBuilder, SpecCell, SpecError, StateRequirement, ToolAnnotations, ToolSpec};

use serde::de::DeserializeOwned;

/// The typed arguments of a tool: a struct that serde decodes and schemars describes.
///
/// Write `#[tool_args]` on the struct, or derive all three yourself:
///
/// ```
/// use agentscope_tool::ToolArgs;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema, ToolArgs)]
/// struct Search {
///     /// What to look for.
///     query: String,
///     /// How many results to give at most.
///     #[serde(default = "ten")]
///     #[schemars(range(min = 1, max = 100))]
///     limit: u32,
/// }
///
/// fn ten() -> u32 { 10 }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of tool arguments",
    label = "no tool arguments",
    note = "put `#[tool_args]` on the struct, or derive `serde::Deserialize`, `schemars::JsonSchema` and `agentscope_tool::ToolArgs`"
)]
pub trait ToolArgs: DeserializeOwned + schemars::JsonSchema + Send + Sync + 'static {}

/// Something that a model can call.
///
/// Most tools come from `#[tool]` or `#[derive(Tool)]`. Implement the trait by hand for full control, for example
/// with a schema that is not known at compile time:
///
/// ```
/// use std::sync::Arc;
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// struct WebSearch { spec: ToolSpec }
///
/// impl WebSearch {
///     fn new() -> Self {
///         let spec = ToolSpec::builder("WebSearch", "Search the web for information on a given query.")
///             .input_schema(json!({
///                 "type": "object",
///                 "properties": { "query": { "type": "string", "description": "The search query." } },
///                 "required": ["query"]
///             }))
///             .read_only(true)
///             .build();
///         Self { spec }
///     }
/// }
///
/// #[async_trait]
/// impl Tool for WebSearch {
///     fn spec(&self) -> &ToolSpec { &self.spec }
///
///     async fn check_permissions(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
///         PermissionDecision::allow("web search only reads")
///     }
///
///     fn call(self: Arc<Self>, input: ToolInput, _: ToolContext) -> ToolStream {
///         ToolStream::once(async move {
///             let query = input.str("query")?;
///             Ok::<_, ToolError>(format!("nothing found for {query}"))
///         })
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let response = testing::call(WebSearch::new(), json!({ "query": "rust" })).await;
/// assert_eq!(response.text(), "nothing found for rust");
/// # }
/// ```
#[async_trait]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    note = "tools come from `#[tool]` on a function, `#[derive(Tool)]` on a struct, `FunctionTool`, or `impl Tool`"
)]
pub trait Tool: Send + Sync + 'static {
    /// What the tool says of itself. Called often: hand out a reference to something that is there already.
    fn spec(&self) -> &ToolSpec;

    /// Runs the tool. The input has been checked against the spec's input schema.
    ///
    /// Nothing may happen before the stream is polled, and dropping the stream has to stop the work.
    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream;

    /// A description that depends on how the tool is configured, asked for once when the tool is put into a toolkit,
    /// where it stands in for the spec's.
    fn describe(&self) -> Option<Cow<'static, str>> {
        None
    }

    /// What the tool itself thinks of a call: by default that somebody has to be asked.
    async fn check_permissions(&self, input: &ToolInput, cx: &PermissionContext) -> PermissionDecision {
        let _ = (input, cx);
        default_decision(self.spec())
    }

    /// Whether this call only reads: by default what the spec says of every call.
    async fn check_read_only(&self, input: &ToolInput) -> bool {
        let _ = input;
        self.spec().is_read_only()
    }

    /// What this call touches: by default nothing that rules could name. The only hook that may do I/O.
    async fn footprint(&self, input: &ToolInput) -> Footprint {
        let _ = input;
        Footprint::new()
    }

    /// Whether a permission rule of this tool matches this call: by default its content is a
    /// [path pattern](Footprint::matches) for the paths of the footprint. A rule without content matches every call and
    /// is not asked about. A rule that allows has to cover all of the call; one that denies or asks has to match where it
    /// hits any part.
    fn match_rule(&self, rule: &PermissionRule, input: &ToolInput, footprint: &Footprint) -> bool {
        let _ = input;
        footprint.matches(rule)
    }

    /// Those of the allow rules that together cover all of this call, none when they do not: by default the first that
    /// [matches](Self::match_rule) alone. For a tool whose calls have parts that rules can cover one by one, such as the
    /// commands of a script. Rules without content are not asked about.
    fn rules_that_cover(
        &self,
        rules: &[PermissionRule],
        input: &ToolInput,
        footprint: &Footprint,
    ) -> Vec<PermissionRule> {
        rules.iter().find(|rule| self.match_rule(rule, input, footprint)).cloned().into_iter().collect()
    }

    /// Rules that would settle calls like this one: by default one that allows the whole tool.
    fn generate_suggestions(&self, input: &ToolInput, footprint: &Footprint) -> Vec<PermissionRule> {
        let _ = (input, footprint);
        default_suggestions(self.spec())
    }

    /// The middleware around the tool. Not to be implemented.
    #[doc(hidden)]
    fn layered(&self) -> Option<&LayeredTool> {
        None
    }

    /// The tool's name.
    fn name(&self) -> &str {
        self.spec().name()
    }
}

fn default_decision(spec: &ToolSpec) -> PermissionDecision {
    PermissionDecision::ask(format!("tool `{}` has to be allowed explicitly", spec.name()))
}

fn default_suggestions(spec: &ToolSpec) -> Vec<PermissionRule> {
    vec![PermissionRule::whole_tool(spec.name(), PermissionBehavior::Allow).with_source("suggested")]
}
