//! Schemas typed from the public documentation of Python AgentScope, rebuilt from Rust types: equal, descriptions aside.

use agentscope_tool::prelude::*;
use serde_json::{Value, json};

/// The schema without what is written for the model to read, and with an empty `required` left out.
fn bare(schema: &Value) -> Value {
    let mut schema = schema.clone();
    strip(&mut schema);
    schema
}

fn strip(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.get("required").is_some_and(|required| required == &json!([])) {
                object.remove("required");
            }
            if object.get("description").is_some_and(Value::is_string) {
                object.remove("description");
            }
            object.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

#[track_caller]
fn same(spec: &ToolSpec, golden: Value) {
    assert_eq!(spec.faults(), []);
    assert_eq!(bare(spec.input_schema()), golden);
}

/// Replace exact strings in a file.
#[derive(Tool)]
#[spec(concurrency_safe = false, state_injected)]
struct Edit;

#[tool_args(undocumented)]
struct EditArgs {
    file_path: String,
    #[schemars(length(min = 1))]
    old_string: String,
    new_string: String,
    #[serde(default)]
    replace_all: bool,
}

impl ToolBody for Edit {
    type Args = EditArgs;
    type Output = ();

    async fn call(&self, _: EditArgs, _: ToolContext) {}
}

#[test]
fn edit_has_the_documented_schema_and_flags() {
    let spec = Edit.spec();
    same(
        spec,
        json!({
            "type": "object",
            "properties": {
                "file_path": { "type": "string" },
                "old_string": { "type": "string", "minLength": 1 },
                "new_string": { "type": "string" },
                "replace_all": { "type": "boolean", "default": false }
            },
            "required": ["file_path", "old_string", "new_string"]
        }),
    );
    assert_eq!(spec.name(), "Edit");
    assert!(spec.is_state_injected());
    assert!(!spec.is_read_only() && !spec.is_concurrency_safe() && !spec.is_external_tool());
    assert_eq!(spec.mcp(), None);
}

/// Search the web for information on a given query.
#[tool(name = "WebSearch", undocumented, read_only)]
async fn web_search(query: String) -> String {
    query
}

#[test]
fn web_search_has_the_documented_schema() {
    same(
        WebSearch.spec(),
        json!({ "type": "object", "properties": { "query": { "type": "string" } }, "required": ["query"] }),
    );
}

/// Request human approval for a sensitive operation.
#[tool(external, name = "HumanApproval", undocumented)]
async fn human_approval(action: String, reason: String);

#[test]
fn human_approval_has_the_documented_schema_and_flags() {
    let spec = HumanApproval.spec();
    same(
        spec,
        json!({
            "type": "object",
            "properties": { "action": { "type": "string" }, "reason": { "type": "string" } },
            "required": ["action", "reason"]
        }),
    );
    assert!(spec.is_external_tool() && spec.is_concurrency_safe() && !spec.is_read_only());
    assert!(spec.output_schema().is_none());
}

/// Get the current weather for a city.
#[tool(undocumented)]
async fn get_weather(city: String, #[arg(default = "celsius")] unit: String) -> String {
    format!("The weather in {city} is 22°{unit}")
}

#[test]
fn a_function_with_a_default_has_the_documented_schema() {
    same(
        GetWeather.spec(),
        json!({
            "type": "object",
            "properties": { "city": { "type": "string" }, "unit": { "type": "string", "default": "celsius" } },
            "required": ["city"]
        }),
    );
}
