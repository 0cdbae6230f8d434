//! The form in which a model is shown a tool.

use serde_json::{Value, json};

use crate::tool::ToolSpec;

/// The function-calling form, which most providers take or are near to.
pub(super) fn function(spec: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": spec.name(),
            "description": spec.description(),
            "parameters": spec.input_schema(),
        }
    })
}
