//! Spans for tool calls, named as OpenTelemetry names them.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures_util::{Stream, StreamExt as _};
use serde_json::Value;
use tracing::{Span, field};

use super::{Next, ToolMiddleware};
use crate::content::{ToolChunk, ToolResultState};
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::tool::{Tool, ToolInput};

/// Makes a `tracing` span of each call, with the names of OpenTelemetry's
/// [semantic conventions for generative AI](https://opentelemetry.io/docs/specs/semconv/gen-ai/): the span
/// `execute_tool`, whose `otel.name` is `execute_tool NAME`, with `gen_ai.operation.name`, `gen_ai.tool.name`,
/// `gen_ai.tool.call.id`, `gen_ai.tool.type`, and `error.type` for a call that fails. What the tool itself records is
/// inside of it.
///
/// What the model sent and what it got is not recorded unless asked for.
///
/// ```
/// use agentscope_tool::middleware::Trace;
/// use agentscope_tool::prelude::*;
///
/// let trace = Trace::new().with_arguments().with_result().redacting(["password"]);
/// let toolkit = Toolkit::builder().middleware(trace).build()?;
/// # Ok::<(), ToolkitError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Trace {
    arguments: bool,
    result: bool,
    redacted: Vec<String>,
}

/// What stands in place of an argument that is not recorded.
const REDACTED: &str = "[redacted]";
/// How many bytes of a result are recorded.
const RESULT_BYTES: usize = 16 * 1024;

impl Trace {
    /// Spans without content.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Records the arguments, as `gen_ai.tool.call.arguments`.
    #[must_use]
    pub fn with_arguments(mut self) -> Self {
        self.arguments = true;
        self
    }

    /// Records the first 16 KiB of the result's text, as `gen_ai.tool.call.result`.
    #[must_use]
    pub fn with_result(mut self) -> Self {
        self.result = true;
        self
    }

    /// Does not record the values of arguments, or of members at any depth, that have these names.
    #[must_use]
    pub fn redacting(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.redacted.extend(names.into_iter().map(Into::into));
        self
    }

    fn redact(&self, value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    if self.redacted.contains(name) {
                        *value = REDACTED.into();
                    } else {
                        self.redact(value);
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.redact(item)),
            _ => {}
        }
    }
}

impl ToolMiddleware for Trace {
    fn on_tool_call(self: Arc<Self>, tool: Arc<dyn Tool>, input: ToolInput, next: Next) -> ToolStream {
        let spec = tool.spec();
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = format!("execute_tool {}", spec.name()),
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = spec.name(),
            gen_ai.tool.call.id = next.context().call_id(),
            gen_ai.tool.r#type = if spec.mcp().is_some() { "extension" } else { "function" },
            gen_ai.tool.call.arguments = field::Empty,
            gen_ai.tool.call.result = field::Empty,
            error.r#type = field::Empty,
        );
        if self.arguments && !span.is_disabled() {
            let mut arguments = Value::Object(input.arguments().clone());
            self.redact(&mut arguments);
            span.record("gen_ai.tool.call.arguments", arguments.to_string());
        }
        let result = (self.result && !span.is_disabled()).then(String::new);
        let stream = span.in_scope(|| next.run(input));
        ToolStream::new(Traced { stream: Some(stream), span, result, is_over: false })
    }
}

/// A stream whose work is inside of a span.
struct Traced {
    /// Taken to be dropped inside of the span.
    stream: Option<ToolStream>,
    span: Span,
    result: Option<String>,
    is_over: bool,
}

impl Traced {
    fn note(&mut self, chunk: &ToolChunk) {
        if let Some(result) = &mut self.result {
            let text = chunk.joined_text();
            let mut end = text.len().min(RESULT_BYTES.saturating_sub(result.len()));
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            result.push_str(&text[..end]);
        }
        match chunk.state {
            ToolResultState::Success | ToolResultState::Running => {}
            state => drop(self.span.record("error.type", state.to_string())),
        }
    }

    fn end(&mut self) {
        self.is_over = true;
        if let Some(result) = self.result.take() {
            self.span.record("gen_ai.tool.call.result", result);
        }
    }
}

impl Stream for Traced {
    type Item = Result<ToolChunk, ToolError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let Some(stream) = &mut this.stream else { return Poll::Ready(None) };
        let item = ready!(this.span.in_scope(|| stream.poll_next_unpin(cx)));
        match &item {
            Some(Ok(chunk)) => this.note(chunk),
            Some(Err(error)) => {
                this.span.record("error.type", error_type(error));
                this.end();
            }
            None => this.end(),
        }
        Poll::Ready(item)
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        let stream = self.stream.take();
        self.span.in_scope(|| drop(stream));
        if !self.is_over {
            self.span.record("error.type", "cancelled");
            self.end();
        }
    }
}

fn error_type(error: &ToolError) -> &'static str {
    match error {
        ToolError::Arguments(_) => "invalid_arguments",
        ToolError::Failed { .. } => "tool_error",
        ToolError::Interrupted => "cancelled",
        ToolError::Denied { .. } => "denied",
        ToolError::Developer(_) => "developer_error",
        ToolError::Panicked { .. } => "panic",
    }
}
