//! What generated code refers to. No part of the public interface: it changes without notice.

pub use std;

pub use async_trait::async_trait;
pub use core;
pub use schemars;
pub use serde;
pub use serde_json;

pub use crate::error::ToolError;
pub use crate::output::{DescribeOutput, IntoToolOutput, NoOutput, OutputProbe, Streamed, ToolOutput, ToolStream};
pub use crate::permission::{Footprint, PermissionContext, PermissionDecision, PermissionRule};
pub use crate::state::{AgentState, State};
pub use crate::tool::{
    ExternalBody, MethodTool, Param, SpecBuilder, SpecCell, Tool, ToolArgs, ToolBody, ToolContext, ToolInput, ToolSpec,
    Toolset, body_hooks, external_hooks,
};

/// The hooks of derived tools.
pub mod body {
    use std::sync::Arc;

    pub use super::body_hooks::*;
    use crate::error::ToolError;
    use crate::output::{IntoToolOutput, ToolStream};
    use crate::tool::{ToolBody, ToolContext, ToolInput};

    pub fn call<B: ToolBody>(body: Arc<B>, input: ToolInput, cx: ToolContext) -> ToolStream {
        ToolStream::once(async move {
            let args = input.into_args::<B::Args>()?;
            Ok::<_, ToolError>(ToolBody::call(&*body, args, cx).await.into_tool_output())
        })
    }
}

/// The hooks of derived external tools.
pub mod external {
    pub use super::external_hooks::*;
}

/// Checks that name what a type lacks, at the place where the user wrote it.
pub mod check {
    use schemars::JsonSchema;
    use serde::Serialize;
    use serde::de::DeserializeOwned;

    use crate::output::IntoToolOutput;
    use crate::tool::{ExternalBody, ToolArgs, ToolBody};

    pub fn described<T: JsonSchema>() {}
    pub fn decodable<T: DeserializeOwned>() {}
    pub fn serializable<T: Serialize>() {}
    pub fn tool_args<T: ToolArgs>() {}
    pub fn state<T: ?Sized + Send + Sync + 'static>() {}
    pub fn output<T: IntoToolOutput>() {}
    pub fn sendable<T: Send>() {}
    pub fn send_future(_: impl Future + Send) {}
    pub fn body<T: ToolBody>() {}
    pub fn external_body<T: ExternalBody>() {}
}
