use proptest::prelude::*;
use serde_json::{Value, json};

use super::{ChangeKind, schema_diff};

fn shown(old: Value, new: Value) -> String {
    schema_diff(&old, &new).iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Changes of one argument `a`.
fn of_argument(old: Value, new: Value) -> String {
    let root = |schema: Value| json!({ "type": "object", "properties": { "a": schema }, "required": ["a"] });
    shown(root(old), root(new))
}

#[test]
fn every_kind_of_change_is_told_and_judged() {
    let mut told = Vec::new();
    for (old, new) in [
        (json!({ "type": "string" }), json!({ "type": "string", "description": "Words." })),
        (json!({ "type": "integer" }), json!({ "type": "number" })),
        (json!({ "type": "number" }), json!({ "type": "integer" })),
        (json!({ "type": "string" }), json!({ "type": "integer" })),
        (json!({ "type": "string" }), json!({ "type": ["string", "null"] })),
        (json!({ "type": ["string", "null"] }), json!({ "type": "string" })),
        (json!({ "type": "string", "enum": ["x", "y"] }), json!({ "type": "string", "enum": ["y", "z"] })),
        (json!({ "type": "string", "const": "x" }), json!({ "type": "string", "enum": ["x", "y"] })),
        (json!({ "type": "string", "enum": ["x"] }), json!({ "type": "string" })),
        (json!({ "type": "string" }), json!({ "type": "string", "enum": ["x"] })),
        (
            json!({ "type": "integer", "minimum": 1, "maximum": 9 }),
            json!({ "type": "integer", "minimum": 0, "maximum": 5 }),
        ),
        (json!({ "type": "string", "pattern": "a", "minLength": 1 }), json!({ "type": "string", "pattern": "b" })),
        (json!({ "type": "string" }), json!({ "type": "string", "format": "date" })),
        (json!({ "type": "string", "default": "x" }), json!({ "type": "string", "default": "y" })),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "type": "array", "items": { "type": "integer" } }),
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!({ "type": "array", "items": { "type": "string" }, "uniqueItems": true, "maxItems": 3 }),
        ),
        (
            json!({ "type": "array", "prefixItems": [{ "type": "string" }] }),
            json!({ "type": "array", "prefixItems": [{ "type": "string" }, { "type": "string" }] }),
        ),
        (
            json!({ "type": "object", "additionalProperties": { "type": "string" } }),
            json!({ "type": "object", "additionalProperties": { "type": "integer" } }),
        ),
        (
            json!({ "type": "object", "additionalProperties": true }),
            json!({ "type": "object", "additionalProperties": false }),
        ),
        (json!({ "type": "string", "contentEncoding": "x" }), json!({ "type": "string" })),
        (json!(true), json!({ "type": "string" })),
        (json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), json!({ "type": "string" })),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer", "minimum": 1 }] }),
            json!({ "anyOf": [{ "type": "integer", "minimum": 2 }, { "type": "string" }, { "type": "boolean" }] }),
        ),
        (
            json!({ "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "circle" }, "r": { "type": "number" } } },
                { "type": "object", "properties": { "kind": { "const": "square" }, "w": { "type": "number" } } }
            ] }),
            json!({ "oneOf": [
                { "type": "object", "properties": { "kind": { "const": "square" }, "w": { "type": "integer" } } },
                { "type": "object", "properties": { "kind": { "const": "line" } } }
            ] }),
        ),
    ] {
        told.push(format!("{old} -> {new}\n{}", of_argument(old.clone(), new.clone())));
    }
    insta::assert_snapshot!(told.join("\n\n"));
}

#[test]
fn arguments_come_and_go() {
    let old = json!({
        "type": "object",
        "properties": {
            "kept": { "type": "string" },
            "freed": { "type": "string" },
            "bound": { "type": "string" },
            "gone": { "type": "boolean" },
            "old_name": { "type": "integer", "minimum": 3 }
        },
        "required": ["kept", "freed"]
    });
    let new = json!({
        "type": "object",
        "properties": {
            "kept": { "type": "string" },
            "freed": { "type": "string" },
            "bound": { "type": "string" },
            "new_name": { "type": "integer", "minimum": 3 },
            "more": { "type": "string" },
            "must": { "type": "string" }
        },
        "required": ["kept", "bound", "must"]
    });
    insta::assert_snapshot!(shown(old, new));
}

#[test]
fn tools_are_compared_by_name_in_the_form_of_any_provider() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let wider = json!({ "type": "object", "properties": { "a": { "type": ["string", "integer"] } } });
    let openai = |name: &str, schema: &Value| json!({ "type": "function", "function": { "name": name, "description": "D.", "parameters": schema } });
    let old = json!([openai("one", &schema), openai("two", &schema)]);
    let new = json!({ "tools": [
        { "name": "one", "description": "E.", "input_schema": wider },
        { "toolSpec": { "name": "three", "inputSchema": { "json": schema } } }
    ] });
    insta::assert_snapshot!(shown(old.clone(), new), @r"
    compatible: one: described in other words
    compatible: one: `a`: accepts integer as well
    compatible: three: a new tool
    breaking: two: the tool is gone
    ");
    assert_eq!(schema_diff(&old, &old), []);
    let responses = json!([{ "type": "function", "name": "one", "description": "D.", "parameters": schema }]);
    assert_eq!(shown(json!([openai("one", &schema)]), responses), "");
}

#[test]
fn what_is_referred_to_is_compared_too_and_recursion_ends() {
    let tree = |value: &str| {
        json!({
            "type": "object",
            "properties": { "root": { "$ref": "#/$defs/Node" } },
            "$defs": { "Node": {
                "type": "object",
                "properties": { "value": { "type": value }, "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } } }
            } }
        })
    };
    assert_eq!(shown(tree("string"), tree("string")), "");
    assert_eq!(shown(tree("string"), tree("integer")), "breaking: `root.value`: accepts integer instead of string");
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        Just(json!(null)),
        (-3..3i64).prop_map(|number| json!(number)),
        prop::sample::select(vec!["string", "object", "#/$defs/a", "#", "a"]).prop_map(|text| json!(text)),
    ];
    let keys = [
        "type",
        "properties",
        "required",
        "items",
        "anyOf",
        "oneOf",
        "$ref",
        "$defs",
        "enum",
        "const",
        "a",
        "minimum",
        "additionalProperties",
        "prefixItems",
        "default",
        "description",
        "name",
        "parameters",
        "function",
        "tools",
    ];
    leaf.prop_recursive(5, 48, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(keys.to_vec()), inner), 0..5).prop_map(|pairs| Value::Object(
                pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn any_two_documents_can_be_compared_and_one_is_as_itself(old in anything(), new in anything()) {
        for change in schema_diff(&old, &new) {
            prop_assert!(!change.to_string().is_empty());
        }
        prop_assert_eq!(schema_diff(&old, &old), []);
    }

    /// Bounds that move apart break nothing, bounds that move together do.
    #[test]
    fn a_bound_is_tighter_where_it_lets_less_through(from in -9..9i64, to in -9..9i64) {
        let root = |bound: i64| json!({ "type": "integer", "minimum": bound });
        let changes = schema_diff(&root(from), &root(to));
        prop_assert_eq!(changes.iter().any(super::SchemaChange::is_breaking), to > from);
        let tightened = changes.iter().all(|change| match change.kind {
            ChangeKind::Tightened { .. } => to > from,
            ChangeKind::Loosened { .. } => to < from,
            _ => false,
        });
        prop_assert!(tightened);
    }
}
