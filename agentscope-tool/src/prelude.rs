//! What most programs need: `use agentscope_tool::prelude::*;`

pub use crate::{
    AgentState, CallStream, ContentBlock, DataBlock, ExternalBody, Footprint, FunctionTool, Image, IntoToolOutput,
    Json, PermissionBehavior, PermissionContext, PermissionDecision, PermissionMode, PermissionRule, State, TextBlock,
    Tool, ToolArgs, ToolBody, ToolCall, ToolChunk, ToolContext, ToolError, ToolExt, ToolInput, ToolMiddleware,
    ToolResponse, ToolResultState, ToolSpec, ToolStream, Toolkit, ToolkitError, Toolset, async_trait, testing, tool,
    tool_args, toolset,
};
pub use futures_util::{Stream, StreamExt};
