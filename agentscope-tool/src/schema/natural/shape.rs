//! The shape of each schema, once its references are resolved.

use serde_json::{Map, Value, json};

use super::inline::merge;
use super::keys::{for_each_inner, strip, strip_names};

/// Shapes the root: an object always has `properties` and `required`.
pub(super) fn shape_root(root: &mut Value) {
    shape(root);
    let Value::Object(root) = root else { return };
    if is_object(root) {
        root.entry("type").or_insert_with(|| json!("object"));
        root.entry("properties").or_insert_with(|| json!({}));
        root.entry("required").or_insert_with(|| json!([]));
    }
}

/// Whether every value of the schema is an object.
fn is_object(schema: &Map<String, Value>) -> bool {
    let branches_are = |keyword: &str| {
        let branches = schema.get(keyword).and_then(Value::as_array);
        branches.is_some_and(|branches| {
            !branches.is_empty() && branches.iter().all(|branch| branch.as_object().is_some_and(is_object))
        })
    };
    match schema.get("type") {
        Some(kind) => kind == "object",
        None => schema.contains_key("properties") || branches_are("oneOf") || branches_are("anyOf"),
    }
}

/// Shapes a schema and all schemas inside of it.
pub(super) fn shape(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    strip(object);
    drop_null_of_optional(object);
    name_enum(object);
    give_empty_struct_its_properties(object);
    for_each_inner(object, &mut shape);
    // `{}` is read by everybody who reads schemas, `true` is not.
    for key in ["items", "contains"] {
        open(object.get_mut(key));
    }
    for key in ["properties", "patternProperties"] {
        object
            .get_mut(key)
            .and_then(Value::as_object_mut)
            .into_iter()
            .flat_map(Map::values_mut)
            .for_each(|value| open(Some(value)));
    }
}

/// Shapes a schema less, and all schemas inside of it: formats and `null` stay.
pub(super) fn unify(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    strip_names(object);
    name_enum(object);
    for_each_inner(object, &mut unify);
}

/// Replaces `true` by `{}`.
fn open(schema: Option<&mut Value>) {
    if let Some(schema) = schema
        && *schema == Value::Bool(true)
    {
        *schema = json!({});
    }
}

/// `schemars` writes a struct without fields as an object of which nothing is said.
fn give_empty_struct_its_properties(schema: &mut Map<String, Value>) {
    const REMARKS: &[&str] = &["type", "description", "default", "examples", "deprecated"];
    if schema.get("type").is_some_and(|kind| kind == "object")
        && schema.keys().all(|key| REMARKS.contains(&key.as_str()))
    {
        schema.insert("properties".to_owned(), json!({}));
    }
}

/// Takes `null` out of the properties that are not required.
fn drop_null_of_optional(schema: &mut Map<String, Value>) {
    let required: Vec<String> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect();
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    for (name, property) in properties {
        // Where another value stands for what is left out, `null` says something of its own.
        let has_default = property.get("default").is_some_and(|default| !default.is_null());
        if let Value::Object(property) = property
            && !required.contains(name)
            && !has_default
        {
            drop_null(property);
        }
    }
}

fn drop_null(property: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = property.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            property.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = property.get_mut("enum")
        && values.iter().any(|value| !value.is_null())
    {
        values.retain(|value| !value.is_null());
    }
    if property.get("default").is_some_and(Value::is_null) {
        property.remove("default");
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = property.get_mut(keyword) else { continue };
        let before = branches.len();
        branches.retain(|branch| branch.get("type").is_none_or(|kind| kind != "null"));
        if branches.len() == before {
            continue;
        }
        match &mut branches[..] {
            [] => drop(property.remove(keyword)),
            [only] => {
                let mut only = only.take();
                property.remove(keyword);
                // What is left may be nullable itself, as in an option of an option.
                if let Value::Object(only) = &mut only {
                    drop_null(only);
                    strip(only);
                }
                strip(property);
                merge(property, only);
            }
            _ => {}
        }
    }
}

/// Turns a choice between plain names, each with its own description, into one `enum`.
fn name_enum(schema: &mut Map<String, Value>) {
    for keyword in ["oneOf", "anyOf"] {
        let Some(Value::Array(branches)) = schema.get(keyword) else { continue };
        let Some(names) = branches.iter().map(names_of).collect::<Option<Vec<_>>>() else { continue };
        if schema.contains_key("enum") || schema.get("type").is_some_and(|kind| kind != "string") {
            continue;
        }
        let lines: Vec<String> = names
            .iter()
            .filter_map(|(values, doc)| match (values.as_slice(), doc) {
                ([Value::String(name)], Some(doc)) => {
                    Some(format!("- {name}: {}", doc.split_whitespace().collect::<Vec<_>>().join(" ")))
                }
                _ => None,
            })
            .collect();
        let mut values: Vec<Value> = Vec::new();
        for value in names.into_iter().flat_map(|(values, _)| values) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let description = schema.get("description").and_then(Value::as_str).filter(|text| !text.is_empty());
        let paragraphs: Vec<String> =
            description.map(str::to_owned).into_iter().chain((!lines.is_empty()).then(|| lines.join("\n"))).collect();
        if !paragraphs.is_empty() {
            schema.insert("description".to_owned(), json!(paragraphs.join("\n\n")));
        }
        schema.remove(keyword);
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), json!(values));
    }
}

/// The names that a branch stands for, with its description, if it stands for nothing but names.
fn names_of(branch: &Value) -> Option<(Vec<Value>, Option<&str>)> {
    let branch = branch.as_object()?;
    let plain = branch.iter().all(|(key, value)| match key.as_str() {
        "type" => value == "string",
        "description" | "title" | "deprecated" | "const" | "enum" => true,
        _ => false,
    });
    let values = match (branch.get("const"), branch.get("enum")) {
        (Some(value), None) => vec![value.clone()],
        (None, Some(Value::Array(values))) => values.clone(),
        _ => return None,
    };
    let description = branch.get("description").and_then(Value::as_str);
    // What is said of several names has no place among the lines of single ones.
    let is_told = description.is_none() || values.len() == 1;
    (plain && is_told && values.iter().all(Value::is_string)).then_some((values, description))
}
