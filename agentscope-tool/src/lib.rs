//! Tools for LLM agents.
//!
//! Annotate an async function with [`#[tool]`](tool), or a struct with `#[derive(Tool)]`, and get a tool: its name, its
//! description from the doc comment, a JSON Schema of its arguments, its state injected, its input repaired, checked
//! and decoded, its result streamed.
//!
//! ```
//! use agentscope_tool::prelude::*;
//!
//! #[tool_args]
//! #[serde(rename_all = "lowercase")]
//! enum Unit { Celsius, Fahrenheit }
//!
//! /// Get the current weather for a city.
//! #[tool(read_only)]
//! async fn get_weather(
//!     /// The city name to look up.
//!     #[arg(length(min = 1))] city: String,
//!     /// Temperature unit.
//!     #[arg(default = Unit::Celsius)] unit: Unit,
//! ) -> String {
//!     let degrees = match unit { Unit::Celsius => 22, Unit::Fahrenheit => 72 };
//!     format!("The weather in {city} is {degrees} degrees")
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let toolkit = Toolkit::builder().tool(GetWeather).build()?;
//!     let state = AgentState::new().with_permissions(PermissionMode::Explore); // what only reads may run
//!
//!     println!("{}", serde_json::to_string_pretty(&toolkit.schemas(&state))?);
//!
//!     let call = ToolCall::new("call_1", "get_weather", r#"{"city": "Oslo"}"#);
//!     let response = toolkit.call(call, &state).response().await;
//!     assert_eq!(response.text(), "The weather in Oslo is 22 degrees");
//!     Ok(())
//! }
//! ```
//!
//! # How a call flows
//!
//! The model's text becomes a [`ToolInput`] (parsed once, repaired, checked against the published schema), a
//! [`PermissionEngine`] decides whether it may run, the tool's body gets the decoded arguments, its result comes as a [`ToolStream`] of [`ToolChunk`]s, and a [`ToolResponse`]
//! gathers them. What goes wrong on the way is part of the result, for the model to read.
//!
//! # Features
//!
//! - `toml`, on by default: [permission settings](PermissionSettings) in TOML, beside those in JSON.
//! - `jsonschema`: any JSON Schema keyword in schemas made at run time, through the `jsonschema` crate. Without it,
//!   keywords that this crate's own validator does not know are refused by name when the tool is made.

// Generated code names the crate by its name, in the crate's own tests as well.
#[cfg(test)]
#[allow(unused_extern_crates)]
extern crate self as agentscope_tool;

pub mod args;
pub mod backend;
mod content;
mod error;
pub mod middleware;
mod output;
mod permission;
pub mod prelude;
pub mod schema;
mod skill;
mod state;
pub mod testing;
mod tool;
mod toolkit;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;

pub use agentscope_tool_macros::{Tool, ToolArgs, ToolType, tool, tool_args, toolset};
pub use async_trait::async_trait;
pub use schemars;
pub use serde;
pub use serde_json;
pub use tokio_util::sync::CancellationToken;

pub use backend::Backend;
pub use content::{
    AppendChunkError, Base64Source, BlockId, ContentBlock, DataBlock, DataSource, MCP_PROGRESS, TextBlock, Timestamp,
    ToolChunk, ToolResponse, ToolResultState, UrlSource, set_clock, set_id_factory,
};
pub use error::ToolError;
pub use middleware::ToolMiddleware;
pub use output::{Image, IntoToolOutput, Json, Streamed, ToolOutput, ToolStream};
pub use permission::{
    Footprint, PathAccess, PatternError, PermissionBehavior, PermissionContext, PermissionDecision, PermissionEngine,
    PermissionMode, PermissionRule, PermissionSettings, PermissionStep, PermissionTrace, ProtectedPaths,
    ReadOnlyPolicy, RuleError, RuleExample, RuleFault, SettingsError, SettingsFault, SettingsWarning, TouchedPath,
    TraceStep, WorkingDirectory,
};
#[cfg(feature = "skills")]
pub use skill::LocalSkillLoader;
pub use skill::{SKILL_VIEWER, Skill, SkillLoader};
pub use state::{
    AgentState, CachedFile, Extensions, FileVersion, ReplyContext, State, StateRecord, Summary, Task, TaskState,
    TasksContext, ToolRecord,
};
pub use tool::{
    Arguments, ExternalBody, FunctionTool, FunctionToolBuilder, IntoTool, IntoToolset, InvalidSpec, Progress,
    ProgressSink, SpecBuilder, SpecError, StateRequirement, Tool, ToolAnnotations, ToolArgs, ToolBody, ToolContext,
    ToolContextBuilder, ToolExt, ToolInput, ToolSpec, Toolset,
};
pub use toolkit::{
    BASIC_GROUP, BrokenExample, CallStream, GroupInfo, RESET_TOOLS, ToolCall, ToolGroup, Toolkit, ToolkitBuilder,
    ToolkitError, ToolkitFault, UnknownTool,
};
