//! The order of the keys of a schema, and which keys it has at all.

use serde_json::{Map, Value};

/// The order in which the keys of each schema are written. Other keys follow in the order they came in, definitions last.
pub const KEY_ORDER: &[&str] = &[
    "description",
    "$ref",
    "type",
    "format",
    "enum",
    "const",
    "properties",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "items",
    "contains",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "required",
    "dependentRequired",
    "additionalProperties",
    "unevaluatedProperties",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
];

/// The formats of JSON Schema 2020-12; others mean something to one language only.
const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Calls `f` on each schema directly inside of `schema`.
pub(super) fn for_each_inner(schema: &mut Map<String, Value>, f: &mut dyn FnMut(&mut Value)) {
    for (key, value) in schema {
        match (key.as_str(), value) {
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(schemas)) => {
                schemas.values_mut().for_each(&mut *f)
            }
            ("prefixItems" | "anyOf" | "oneOf" | "allOf", Value::Array(schemas)) => {
                schemas.iter_mut().for_each(&mut *f)
            }
            (
                "items" | "contains" | "not" | "additionalProperties" | "unevaluatedProperties" | "propertyNames",
                inner,
            ) => f(inner),
            _ => {}
        }
    }
}

/// Removes what is about the type's name in Rust from one schema, and empty descriptions.
pub(super) fn strip_names(schema: &mut Map<String, Value>) {
    schema.retain(|key, value| match key.as_str() {
        "$schema" | "title" => false,
        "description" => value.as_str() != Some(""),
        _ => true,
    });
}

/// Removes what the natural form does not have from one schema, not from those inside of it.
pub(super) fn strip(schema: &mut Map<String, Value>) {
    schema.retain(|key, value| match key.as_str() {
        "$schema" | "title" => false,
        "format" => value.as_str().is_some_and(|format| FORMATS.contains(&format)),
        "description" => value.as_str() != Some(""),
        _ => true,
    });
}

/// Puts definitions and order into a finished schema.
pub(super) fn finish(mut root: Value, definitions: Map<String, Value>) -> Value {
    if let (Value::Object(root), false) = (&mut root, definitions.is_empty()) {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    sort(&mut root);
    root
}

fn sort(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    for_each_inner(schema, &mut sort);
    let rank = |key: &str| match key {
        "$defs" => usize::MAX,
        _ => KEY_ORDER.iter().position(|known| *known == key).unwrap_or(KEY_ORDER.len()),
    };
    let mut entries: Vec<(String, Value)> = std::mem::take(schema).into_iter().collect();
    entries.sort_by_key(|(key, _)| rank(key));
    schema.extend(entries);
}
