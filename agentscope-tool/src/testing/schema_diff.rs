//! What has changed between two versions of a tool's schema, and whether a caller of the old one still gets through.

mod change;
mod compare;
mod documents;
#[cfg(test)]
mod tests;

use serde_json::Value;

pub use change::{ChangeKind, SchemaChange};
use compare::Comparison;

/// What has changed from one version of schemas to the next, in the order of the new one.
///
/// Each side is the input schema of a tool, a tool's definition in any provider's form, or a list of such definitions (as
/// [`Toolkit::schemas`](crate::Toolkit::schemas) gives them), whose tools are compared by name.
///
/// A change is [breaking](SchemaChange::is_breaking) when arguments that were accepted before may be refused now. That is
/// what matters for recorded calls, few-shot examples, fine-tuned models and programs that call the tool.
///
/// ```
/// use agentscope_tool::testing::schema_diff;
/// use serde_json::json;
///
/// let old = json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] });
/// let mut new = old.clone();
/// new["properties"]["unit"] = json!({ "enum": ["celsius", "fahrenheit"] });
/// new["properties"]["city"]["minLength"] = json!(1);
///
/// let changes = schema_diff(&old, &new);
/// let shown: Vec<String> = changes.iter().map(ToString::to_string).collect();
/// assert_eq!(shown, ["breaking: `city`: `minLength` is tightened: 1, was not there", "compatible: `unit`: added as optional"]);
/// assert!(changes[0].is_breaking());
/// ```
#[must_use]
pub fn schema_diff(old: &Value, new: &Value) -> Vec<SchemaChange> {
    match (documents::tools(old), documents::tools(new)) {
        (Some(old), Some(new)) => {
            let mut changes = Vec::new();
            for tool in &new {
                match old.iter().find(|before| before.name == tool.name) {
                    Some(before) => {
                        if before.description != tool.description {
                            changes.push(SchemaChange::new(tool.name, "", ChangeKind::Described));
                        }
                        changes.extend(Comparison::new(tool.name, before.schema, tool.schema).run());
                    }
                    None => changes.push(SchemaChange::new(tool.name, "", ChangeKind::ToolAdded)),
                }
            }
            for gone in old.iter().filter(|before| !new.iter().any(|tool| tool.name == before.name)) {
                changes.push(SchemaChange::new(gone.name, "", ChangeKind::ToolRemoved));
            }
            changes
        }
        _ => Comparison::new("", documents::schema(old), documents::schema(new)).run(),
    }
}
