//! The tools in a JSON document, in the forms that are in use.

use serde_json::Value;

/// A tool's definition.
pub(super) struct Definition<'v> {
    pub(super) name: &'v str,
    pub(super) description: Option<&'v str>,
    pub(super) schema: &'v Value,
}

/// The tools of a document; nothing when it is a schema alone.
pub(super) fn tools(document: &Value) -> Option<Vec<Definition<'_>>> {
    match document {
        Value::Array(tools) => tools.iter().map(definition).collect(),
        // Gemini and Bedrock put the list into an object.
        Value::Object(object) => match ["functionDeclarations", "function_declarations", "tools"]
            .iter()
            .find_map(|key| object.get(*key)?.as_array())
        {
            Some(tools) => tools.iter().map(definition).collect(),
            None => definition(document).map(|tool| vec![tool]),
        },
        _ => None,
    }
}

fn definition(tool: &Value) -> Option<Definition<'_>> {
    let inner = tool.get("function").or_else(|| tool.get("toolSpec")).unwrap_or(tool);
    let name = inner.get("name")?.as_str()?;
    let keys = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "parameters_json_schema"];
    let found = keys.iter().find_map(|key| inner.get(*key));
    let schema = match found {
        Some(schema) => schema.get("json").unwrap_or(schema),
        // A tool without arguments may come without a schema.
        None if inner.get("description").is_some() => &Value::Null,
        None => return None,
    };
    Some(Definition { name, description: inner.get("description").and_then(Value::as_str), schema })
}

/// The schema of a document that is one, or the definition of one tool.
pub(super) fn schema(document: &Value) -> &Value {
    definition(document).map_or(document, |tool| tool.schema)
}
