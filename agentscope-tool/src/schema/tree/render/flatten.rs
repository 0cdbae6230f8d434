//! Fields that stand among those of the struct around them, as schemars' `_private` has it.

use serde_json::{Map, Value, json};

use super::{array, member};

/// Makes the schema of a type fit for standing among others: as schemars' `json_schema_for_flatten`.
pub(super) fn flattened(mut schema: Value, is_optional: bool) -> Value {
    if let Some(units) = take_units(&mut schema) {
        let alternatives = units
            .iter()
            .filter_map(Value::as_str)
            .map(|name| json!({ "type": "object", "properties": { name: { "type": "null" } }, "required": [name] }));
        array(member(&mut schema, "oneOf")).extend(alternatives);
    }
    if is_optional && let Value::Object(object) = &mut schema {
        object.shift_remove("required");
        if let Some(alternatives) = object.shift_remove("oneOf") {
            flatten(&mut schema, json!({ "anyOf": [{ "oneOf": alternatives }, {}] }));
        }
        if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf")
            && !alternatives.contains(&json!({}))
        {
            alternatives.push(json!({}));
        }
    }
    allow_unknown(&mut schema);
    schema
}

/// The names of the plain variants, which are no texts once they stand among fields.
fn take_units(schema: &mut Value) -> Option<Vec<Value>> {
    let object = schema.as_object_mut()?;
    if object.get("type").is_some_and(|kind| kind == "string")
        && let Some(Value::Array(names)) = object.shift_remove("enum")
    {
        object.shift_remove("type");
        return Some(names);
    }
    let alternatives = object.get_mut("oneOf")?.as_array_mut()?;
    let first = alternatives.first_mut()?.as_object_mut()?;
    if first.get("type").is_some_and(|kind| kind == "string")
        && let Some(Value::Array(names)) = first.shift_remove("enum")
    {
        alternatives.remove(0);
        return Some(names);
    }
    None
}

/// Lets other keys be there, in the schema and in those inside of it: as schemars' `AllowUnknownProperties`. Whether
/// anything had to change.
pub(super) fn allow_unknown(schema: &mut Value) -> bool {
    let Value::Object(object) = schema else { return false };
    let mut changed = false;
    for key in ["additionalProperties", "unevaluatedProperties"] {
        if object.get(key).is_some_and(|value| *value == false) {
            object.shift_remove(key);
            changed = true;
        }
    }
    allow_unknown_inside(object) || changed
}

/// As [`allow_unknown`], for the schemas inside of this one only.
pub(super) fn allow_unknown_inside(object: &mut Map<String, Value>) -> bool {
    // The keywords of schemars' `transform_immediate_subschemas`.
    let mut changed = false;
    for (key, value) in object {
        match (key.as_str(), value) {
            (
                "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "additionalProperties"
                | "propertyNames"
                | "additionalItems",
                value,
            ) => changed |= allow_unknown(value),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| changed |= allow_unknown(schema));
            }
            ("items", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(|schema| changed |= allow_unknown(schema));
            }
            ("items", value) => changed |= allow_unknown(value),
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(schemas)) => {
                schemas.values_mut().for_each(|schema| changed |= allow_unknown(schema));
            }
            _ => {}
        }
    }
    changed
}

/// Adds the rules of one schema to another: as schemars' `flatten`.
pub(super) fn flatten(schema: &mut Value, other: Value) {
    match (schema, other) {
        (_, Value::Bool(false)) => {}
        (Value::Object(ours), Value::Object(mut theirs)) => {
            widen(ours, &theirs);
            widen(&mut theirs, ours);
            for (key, value) in theirs {
                add(ours, key, value);
            }
        }
        (Value::Object(ours), _)
            if !ours.contains_key("additionalProperties") && !ours.contains_key("unevaluatedProperties") =>
        {
            let key = if has_alternatives(ours) { "unevaluatedProperties" } else { "additionalProperties" };
            ours.insert(key.to_owned(), true.into());
        }
        _ => {}
    }
}

fn add(ours: &mut Map<String, Value>, key: String, theirs: Value) {
    match (key.as_str(), ours.get_mut(&key), theirs) {
        (_, None, theirs) => drop(ours.insert(key, theirs)),
        ("required" | "allOf", Some(Value::Array(ours)), Value::Array(theirs)) => ours.extend(theirs),
        ("properties" | "patternProperties", Some(Value::Object(ours)), Value::Object(theirs)) => ours.extend(theirs),
        ("oneOf" | "anyOf", Some(_), theirs) => {
            let current = ours.shift_remove(&key);
            let both = json!([{ key.as_str(): current }, { key.as_str(): theirs }]);
            add(ours, "allOf".to_owned(), both);
        }
        _ => {}
    }
}

fn widen(one: &mut Map<String, Value>, other: &Map<String, Value>) {
    if one.contains_key("additionalProperties")
        && (other.contains_key("unevaluatedProperties") || has_alternatives(other))
        && let Some(value) = one.shift_remove("additionalProperties")
    {
        one.insert("unevaluatedProperties".to_owned(), value);
    }
}

fn has_alternatives(schema: &Map<String, Value>) -> bool {
    ["if", "allOf", "anyOf", "oneOf", "$ref"].iter().any(|key| schema.contains_key(*key))
}
