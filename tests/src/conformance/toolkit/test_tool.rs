//! The tools that cases describe by their behaviour.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use agentscope_tool::{
    AgentState, PermissionContext, PermissionDecision, Streamed, Tool, ToolChunk, ToolContext, ToolError, ToolInput,
    ToolSpec, ToolStream, async_trait,
};
use futures_util::stream;
use serde_json::{Value, json};

use crate::conformance::response::chunk;

/// A tool as a case describes it. It is always allowed.
pub(super) struct TestTool {
    spec: ToolSpec,
    behavior: Behavior,
}

enum Behavior {
    /// Answers with its arguments.
    Echo,
    /// Yields chunks, then fails if there is an error.
    Stream { chunks: Vec<ToolChunk>, error: Option<String> },
    /// Waits, then answers `done`.
    Sleep(Duration),
}

impl TestTool {
    pub(super) fn new(described: &Value) -> Result<Self, String> {
        let name = described["name"].as_str().ok_or("a tool has no name")?;
        let schema = match &described["schema"] {
            Value::Null => json!({ "type": "object", "properties": {} }),
            schema => schema.clone(),
        };
        let flag = |key: &str, default| described[key].as_bool().unwrap_or(default);
        let spec = ToolSpec::builder(name, "A tool for tests.")
            .input_schema(schema)
            .concurrency_safe(flag("concurrency_safe", true))
            .state_injected(flag("state_injected", false))
            .external(flag("external", false))
            .read_only(flag("read_only", false))
            .build();
        Ok(Self { spec, behavior: Behavior::new(described)? })
    }
}

impl Behavior {
    fn new(described: &Value) -> Result<Self, String> {
        let chunks =
            || described["chunks"].as_array().into_iter().flatten().map(chunk).collect::<Result<Vec<_>, String>>();
        let error = || Some(described["error"].as_str().unwrap_or("error").to_owned());
        Ok(match described["behavior"].as_str().unwrap_or("echo") {
            "echo" => Self::Echo,
            "stream" => Self::Stream { chunks: chunks()?, error: None },
            "stream_then_raise" => Self::Stream { chunks: chunks()?, error: error() },
            "raise" => Self::Stream { chunks: Vec::new(), error: error() },
            "sleep" => Self::Sleep(Duration::from_secs_f64(described["seconds"].as_f64().unwrap_or(1.0))),
            other => return Err(format!("the behaviour `{other}` has no equivalent")),
        })
    }
}

#[async_trait]
impl Tool for TestTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn check_permissions(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::allow("test tools are always allowed")
    }

    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream {
        match &self.behavior {
            Behavior::Echo => {
                let injected = self.spec.is_state_injected() && cx.state::<AgentState>().is_ok();
                let text = format!(
                    "{}{}",
                    spaced(&Value::Object(input.arguments().clone())),
                    if injected { " state" } else { "" }
                );
                ToolStream::once(async move { text })
            }
            Behavior::Stream { chunks, error } => {
                let chunks = chunks.clone().into_iter().map(Ok);
                let items = chunks.chain(error.clone().map(|error| Err(ToolError::failed(error))));
                ToolStream::once(std::future::ready(Streamed(stream::iter(items.collect::<Vec<_>>()))))
            }
            Behavior::Sleep(duration) => {
                let duration = *duration;
                ToolStream::once(async move {
                    tokio::time::sleep(duration).await;
                    "done"
                })
            }
        }
    }
}

/// JSON with sorted keys, and with a blank behind each comma and colon.
pub(super) fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let sorted: BTreeMap<_, _> = members.iter().collect();
            let members = sorted.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), spaced(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        scalar => scalar.to_string(),
    }
}
