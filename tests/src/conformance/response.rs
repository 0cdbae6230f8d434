//! Cases about gathering chunks into a response.

use agentscope_tool::{ToolChunk, ToolResponse};
use serde_json::{Map, Value, json};

use super::Outcome;

pub(super) fn run(case: &Value) -> Result<Outcome, String> {
    let chunks = case["call"]["chunks"].as_array().ok_or("the case has no `chunks`")?;
    let mut response = ToolResponse::new("call");
    for described in chunks {
        if let Err(error) = response.append_chunk(chunk(described)?) {
            return Ok(Outcome::error(error.to_string()));
        }
    }
    Ok(Outcome::from(&response))
}

/// A chunk as cases describe it: data blocks have `base64` or `url` where ours have a `source`.
pub(super) fn chunk(described: &Value) -> Result<ToolChunk, String> {
    let mut chunk = described.clone();
    for block in chunk["content"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        if block.get("type").is_some_and(|kind| kind == "data") && !block.contains_key("source") {
            let source = source(block);
            block.insert("source".into(), source);
        }
    }
    serde_json::from_value(chunk).map_err(|error| format!("the chunk {described} cannot be read: {error}"))
}

fn source(block: &mut Map<String, Value>) -> Value {
    let media_type = block.remove("media_type").unwrap_or_default();
    match block.remove("base64") {
        Some(data) => json!({ "type": "base64", "data": data, "media_type": media_type }),
        None => json!({ "type": "url", "url": block.remove("url"), "media_type": media_type }),
    }
}
