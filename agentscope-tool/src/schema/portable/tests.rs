use proptest::prelude::*;

use super::*;

fn of(properties: Value) -> Result<Value, NotPortable> {
    portable(&json!({ "type": "object", "properties": properties, "required": [] }))
}

#[test]
fn what_has_no_portable_form_is_told_with_its_place_and_a_way_out() {
    let faults: Vec<String> = [
        json!({ "tags": { "type": "object", "additionalProperties": { "type": "string" } } }),
        json!({ "items": { "type": "array", "items": {} } }),
        json!({ "any": true }),
        json!({ "filter": { "type": "object", "properties": { "nothing": { "type": "object" } } } }),
        json!({ "filter[id]": { "type": "string" } }),
        json!({ "tree": { "$ref": "#/$defs/Tree" } }),
        json!({ "both": { "allOf": [{ "type": "string" }, { "minLength": 1 }] } }),
        json!({ "odd": { "type": "float" } }),
    ]
    .into_iter()
    .map(|properties| of(properties).unwrap_err().to_string())
    .chain([portable(&json!({ "type": "array", "items": { "type": "string" } })).unwrap_err().to_string()])
    .chain([portable(&json!({ "anyOf": [{ "type": "object", "properties": {} }] })).unwrap_err().to_string()])
    .collect();
    insta::assert_snapshot!(faults.join("\n"));
}

#[test]
fn what_may_be_left_out_may_be_null_and_is_described_outside_of_that() {
    let schema = json!({
        "days": { "type": "integer", "minimum": 1, "default": 3, "description": "How many." },
        "city": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
        "kind": { "type": ["string", "integer", "null"], "maxLength": 3, "maximum": 9 },
        "level": { "enum": [1, 2, null] },
    });
    insta::assert_json_snapshot!(of(schema.clone()).unwrap());
    let all = json!({ "type": "object", "properties": schema, "required": [] });
    insta::assert_json_snapshot!(gemini_parameters(&all).unwrap());
}

#[test]
fn gemini_is_shown_no_empty_object() {
    assert_eq!(gemini_parameters(&json!({ "type": "object", "properties": {}, "required": [] })), Ok(None));
}

/// Any schema of a few keywords.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({ "type": "string", "minLength": 1, "format": "uri" })),
        Just(json!({ "type": "integer", "minimum": 0, "default": 4 })),
        Just(json!({ "type": ["number", "null"], "description": "A number." })),
        Just(json!({ "enum": ["a", "b"] })),
        Just(json!({ "const": 7 })),
        Just(json!({ "type": "boolean" })),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|items| json!({ "type": "array", "items": items, "maxItems": 3 })),
            proptest::collection::vec(inner.clone(), 1..3)
                .prop_map(|all| json!({ "anyOf": all, "description": "One." })),
            proptest::collection::vec(inner.clone(), 1..3)
                .prop_map(|all| json!({ "type": "array", "prefixItems": all })),
            proptest::collection::btree_map("[a-c]", inner, 1..3).prop_map(|properties| {
                let required: Vec<_> = properties.keys().take(1).cloned().collect();
                json!({ "type": "object", "properties": properties, "required": required })
            }),
        ]
    })
}

/// Whether a schema has only what every provider takes.
fn is_plain(schema: &Value) -> bool {
    let Some(members) = schema.as_object() else { return false };
    members.iter().all(|(key, value)| match key.as_str() {
        "description" => value.is_string(),
        "type" => value.is_string(),
        "enum" => value.as_array().is_some_and(|values| values.iter().all(Value::is_string)),
        "anyOf" => value.as_array().is_some_and(|all| all.iter().all(is_plain)),
        "items" => is_plain(value),
        "additionalProperties" => *value == false,
        "properties" => value.as_object().is_some_and(|properties| {
            properties.values().all(is_plain) && schema["required"].as_array().map(Vec::len) == Some(properties.len())
        }),
        "required" => true,
        _ => false,
    })
}

proptest! {
    #[test]
    fn the_portable_form_has_only_what_every_provider_takes(properties in proptest::collection::btree_map("[a-d]", schema(), 0..4)) {
        let portable = of(json!(properties)).unwrap();
        prop_assert!(is_plain(&portable), "{portable}");
        // It is its own portable form, but for what may be null: that is required now.
        prop_assert_eq!(super::portable(&portable).unwrap(), portable);
    }

    #[test]
    fn any_json_has_a_portable_form_or_an_error(text in "[{}\\[\\]\"a-z:,]{0,40}") {
        if let Ok(value) = serde_json::from_str::<Value>(&text) {
            let _ = (super::portable(&value), gemini_parameters(&value));
        }
    }
}
