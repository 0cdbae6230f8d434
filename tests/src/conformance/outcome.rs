//! What a case led to, in the terms in which expectations are written.

use std::sync::Arc;

use agentscope_tool::{ContentBlock, DataSource, ToolResponse};
use serde_json::{Value, json};

use super::fixture::Fixture;

/// What a case led to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// `success`, `error`, `interrupted`, `denied` or `exception`.
    pub status: String,
    /// The text that the model reads, or the error.
    pub output: String,
    /// The value that came out.
    pub value: Option<Value>,
    /// The blocks of the response.
    pub blocks: Option<Value>,
    /// The metadata of the response.
    pub metadata: Option<Value>,
    /// The tool groups that are active afterwards.
    pub activated_groups: Option<Value>,
    /// The files that a case has set up and that are not as they were.
    pub changed: Option<Vec<String>>,
    /// What a command sees afterwards.
    pub probe: Option<String>,
    /// The contents of the rules that a decision suggests.
    pub suggested: Option<Value>,
    /// The agent's tasks afterwards.
    pub tasks: Option<Value>,
    /// The directory that the case was run in.
    pub(super) fixture: Option<Arc<Fixture>>,
    /// How long it took, in seconds.
    pub elapsed: f64,
}

impl Outcome {
    /// A value that came out.
    pub fn value(value: Value) -> Self {
        Self { status: "success".into(), output: value.to_string(), value: Some(value), ..Self::default() }
    }

    /// An error for the model.
    pub fn error(output: String) -> Self {
        Self { status: "error".into(), output, ..Self::default() }
    }

    /// An error for the developer.
    pub fn exception(output: String) -> Self {
        Self { status: "exception".into(), output, ..Self::default() }
    }
}

impl From<&ToolResponse> for Outcome {
    fn from(response: &ToolResponse) -> Self {
        Self {
            status: response.state.to_string(),
            output: response.text(),
            blocks: Some(response.content.iter().map(block).collect()),
            metadata: Some(Value::Object(response.metadata.clone())),
            ..Self::default()
        }
    }
}

fn block(block: &ContentBlock) -> Value {
    match block {
        ContentBlock::Text(text) => json!({ "type": "text", "text": text.text }),
        ContentBlock::Data(data) => match &data.source {
            DataSource::Base64(source) => {
                json!({ "type": "data", "base64": source.data, "media_type": source.media_type, "name": data.name })
            }
            DataSource::Url(source) => {
                json!({ "type": "data", "url": source.url, "media_type": source.media_type, "name": data.name })
            }
        },
    }
}
