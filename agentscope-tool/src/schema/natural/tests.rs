//! The natural form of types of every kind.

use std::collections::{BTreeMap, HashMap};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{described, natural, normalise};
use crate::schema::Validator;

/// A temperature unit.
#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
enum Unit {
    /// Metric,
    /// as most of the world has it.
    Celsius,
    /// US.
    Fahrenheit,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Inner {
    /// The number.
    n: u8,
    note: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Node {
    value: i32,
    /// What follows.
    next: Option<Box<Node>>,
    children: Vec<Node>,
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn the_schema_of_edit_is_that_of_the_original() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct EditArgs {
        /// The absolute path to the file to edit.
        file_path: String,
        /// The nonempty string to replace. Must match exactly including whitespace and indentation.
        #[schemars(length(min = 1))]
        old_string: String,
        /// The string to replace old_string with.
        new_string: String,
        /// If true, replace all occurrences. If false (default), only replace if there is exactly one occurrence.
        #[serde(default)]
        replace_all: bool,
    }

    let expected = json!({
        "type": "object",
        "properties": {
            "file_path": { "type": "string", "description": "The absolute path to the file to edit." },
            "old_string": { "type": "string", "minLength": 1, "description": "The nonempty string to replace. Must match exactly including whitespace and indentation." },
            "new_string": { "type": "string", "description": "The string to replace old_string with." },
            "replace_all": { "type": "boolean", "description": "If true, replace all occurrences. If false (default), only replace if there is exactly one occurrence.", "default": false },
        },
        "required": ["file_path", "old_string", "new_string"],
    });
    let schema = natural::<EditArgs>();
    assert_eq!(schema, expected);
    assert_eq!(keys(&schema["properties"]), ["file_path", "old_string", "new_string", "replace_all"]);
}

#[test]
fn optional_properties_are_what_they_are_when_they_are_there() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Args {
        plain: Option<u32>,
        twice: Option<Option<String>>,
        /// Outer.
        unit: Option<Unit>,
        inner: Option<Inner>,
        list: Option<Vec<Option<i8>>>,
        #[serde(default)]
        with_default: Option<String>,
        #[schemars(required)]
        required: Option<u8>,
        anything: Option<Value>,
    }

    assert_eq!(
        natural::<Args>(),
        json!({
            "type": "object",
            "properties": {
                "plain": { "type": "integer", "minimum": 0 },
                "twice": { "type": "string" },
                "unit": { "description": "Outer.\n\n- Celsius: Metric, as most of the world has it.\n- Fahrenheit: US.", "type": "string", "enum": ["Celsius", "Fahrenheit"] },
                "inner": { "type": "object", "properties": { "n": { "description": "The number.", "type": "integer", "minimum": 0, "maximum": 255 }, "note": { "type": "string" } }, "required": ["n"] },
                "list": { "type": "array", "items": { "type": ["integer", "null"], "minimum": -128, "maximum": 127 } },
                "with_default": { "type": "string" },
                "required": { "type": "integer", "minimum": 0, "maximum": 255 },
                "anything": {},
            },
            "required": ["required"],
        })
    );
}

#[test]
fn enums_of_names_are_one_enum() {
    assert_eq!(
        natural::<Unit>(),
        json!({ "description": "A temperature unit.\n\n- Celsius: Metric, as most of the world has it.\n- Fahrenheit: US.", "type": "string", "enum": ["Celsius", "Fahrenheit"] })
    );
    // An enum with other variants stays a choice.
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    enum Shape {
        Circle { r: f64 },
        Nothing,
    }
    let schema = natural::<Shape>();
    assert_eq!(schema["oneOf"].as_array().unwrap().len(), 2);
    assert!(schema.get("properties").is_none());
}

#[test]
fn an_enum_with_a_tag_at_the_root_is_an_object() {
    #[derive(Deserialize, JsonSchema)]
    #[serde(tag = "action")]
    #[allow(dead_code)]
    enum Action {
        Read(Inner),
        Stop,
    }
    let schema = natural::<Action>();
    assert_eq!(
        schema,
        json!({
            "type": "object",
            "properties": {},
            "oneOf": [
                { "type": "object", "properties": { "action": { "type": "string", "const": "Read" }, "n": { "description": "The number.", "type": "integer", "minimum": 0, "maximum": 255 }, "note": { "type": "string" } }, "required": ["action", "n"] },
                { "type": "object", "properties": { "action": { "type": "string", "const": "Stop" } }, "required": ["action"] },
            ],
            "required": [],
        })
    );
    let validator = Validator::closed(&schema).unwrap();
    assert!(validator.is_valid(&json!({ "action": "Read", "n": 1, "note": "x" })));
    assert!(!validator.is_valid(&json!({ "action": "Stop", "n": 1 })));
}

#[test]
fn recursive_types_stay_definitions() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Args {
        /// Where to start.
        head: Node,
        inner: Inner,
    }
    let node = json!({
        "type": "object",
        "properties": {
            "value": { "type": "integer" },
            "next": { "description": "What follows.", "$ref": "#/$defs/Node" },
            "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } },
        },
        "required": ["value", "children"],
    });
    let schema = natural::<Args>();
    assert_eq!(schema["properties"]["head"], json!({ "description": "Where to start.", "$ref": "#/$defs/Node" }));
    assert_eq!(schema["$defs"], json!({ "Node": node }));
    assert_eq!(keys(&schema), ["type", "properties", "required", "$defs"]);
    assert!(Validator::closed(&schema).unwrap().is_valid(
        &json!({ "head": { "value": 1, "next": { "value": 2, "children": [] }, "children": [] }, "inner": { "n": 1 } })
    ));

    assert_eq!(natural::<Node>()["properties"]["next"], json!({ "description": "What follows.", "$ref": "#" }));
    // As a part of another schema, it must not refer to the root of that.
    let part = described::<Option<Node>>();
    assert!(!part.to_string().contains("\"#\""));
    let whole =
        normalise(json!({ "type": "object", "properties": { "node": part["anyOf"][0] }, "$defs": part["$defs"] }));
    assert_eq!(whole["properties"]["node"], json!({ "$ref": "#/$defs/Node" }));
    assert_eq!(whole["$defs"]["Node"], node);
}

#[test]
fn the_root_is_an_object_with_properties_and_required() {
    #[derive(Deserialize, JsonSchema)]
    struct Empty {}
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Outer {
        empty: Empty,
    }
    assert_eq!(natural::<Empty>(), json!({ "type": "object", "properties": {}, "required": [] }));
    assert_eq!(natural::<Outer>()["properties"]["empty"], json!({ "type": "object", "properties": {} }));
    assert_eq!(natural::<HashMap<String, u8>>()["required"], json!([]));
    assert_eq!(natural::<String>(), json!({ "type": "string" }));
    assert_eq!(natural::<Vec<Value>>(), json!({ "type": "array", "items": {} }));
    assert_eq!(natural::<Value>(), json!({}));
    assert_eq!(natural::<Unit>()["type"], "string");
}

#[test]
fn formats_of_rust_are_dropped_and_those_of_json_schema_stay() {
    let raw = json!({ "type": "object", "title": "T", "properties": { "title": { "type": "string", "format": "date", "title": "T" }, "format": { "type": "integer", "format": "uint32", "description": "" }, "ip": { "type": "string", "format": "ip" }, "d": { "type": "string", "format": "duration" } } });
    assert_eq!(
        normalise(raw)["properties"],
        json!({ "title": { "type": "string", "format": "date" }, "format": { "type": "integer" }, "ip": { "type": "string" }, "d": { "type": "string", "format": "duration" } })
    );
}

#[test]
fn what_stands_beside_a_reference_is_merged_with_what_it_refers_to() {
    let definitions = json!({
        "Count": { "description": "Inner.", "type": "integer", "format": "uint32", "minimum": 0 },
        "Map": { "type": "object", "additionalProperties": { "type": "string" } },
        "Alias": { "$ref": "#/$defs/Count" },
    });
    let normal = |schema: Value| {
        normalise(json!({ "type": "object", "properties": { "x": schema }, "required": ["x"], "$defs": definitions }))["properties"]["x"].clone()
    };
    assert_eq!(
        normal(json!({ "$ref": "#/$defs/Alias" })),
        json!({ "description": "Inner.", "type": "integer", "minimum": 0 })
    );
    assert_eq!(
        normal(json!({ "$ref": "#/$defs/Count", "description": "Outer.", "minimum": 1, "maximum": 9 })),
        json!({ "description": "Outer.", "type": "integer", "minimum": 1, "maximum": 9 })
    );
    assert_eq!(normal(json!({ "$ref": "#/$defs/Count", "minimum": -1 }))["minimum"], json!(0));
    // Rules about all other keys would mean other keys after a merge.
    assert_eq!(
        normal(json!({ "$ref": "#/$defs/Map", "properties": { "n": { "type": "integer" } } })),
        json!({ "properties": { "n": { "type": "integer" } }, "allOf": [{ "type": "object", "additionalProperties": { "type": "string" } }] })
    );
    assert_eq!(normal(json!({ "$ref": "#/$defs/Missing" })), json!({ "$ref": "#/$defs/Missing" }));
}

#[test]
fn the_order_of_keys_is_fixed() {
    #[derive(Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Args {
        /// Text.
        #[schemars(length(min = 1, max = 3), regex(pattern = "^a"), extend("x-more" = 1, "examples" = ["a"]))]
        #[serde(default)]
        text: String,
        map: BTreeMap<String, u8>,
    }
    let schema = natural::<Args>();
    assert_eq!(
        keys(&schema["properties"]["text"]),
        ["description", "type", "minLength", "maxLength", "pattern", "default", "examples", "x-more"]
    );
    assert_eq!(keys(&schema["properties"]["map"]), ["type", "additionalProperties"]);
    assert_eq!(schema.to_string(), natural::<Args>().to_string());
    assert_eq!(normalise(schema.clone()).to_string(), schema.to_string(), "a natural schema stays as it is");
}
