//! What the validator admits, refuses and says.

use serde_json::{Value, json};

use super::{SchemaError, Validator};

fn said(schema: &Value, value: &Value) -> Vec<String> {
    match Validator::closed(schema).unwrap().validate(value) {
        Ok(()) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn each_fault_says_what_was_expected_and_what_came() {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": { "type": "string", "minLength": 1, "description": "The city name to look up." },
            "limit": { "type": "integer", "minimum": 1 },
            "unit": { "type": "string", "enum": ["celsius", "fahrenheit"] },
            "encoding": { "type": "string", "pattern": "^[a-z]+$" },
            "tags": { "type": "array", "items": { "type": "string", "maxLength": 5 }, "maxItems": 2, "uniqueItems": true },
            "filters": { "type": "array", "items": { "type": "object", "properties": { "label": { "type": "string" }, "day": { "type": "string", "format": "date" } }, "required": ["label"] } },
            "ratio": { "type": "number", "exclusiveMinimum": 0, "maximum": 1 },
            "maybe": { "type": ["integer", "null"] },
            "map": { "type": "object", "additionalProperties": { "type": "boolean" }, "maxProperties": 1 },
        },
        "required": ["city", "limit"],
    });
    for (value, expected) in [
        (json!({ "city": "Oslo", "limit": 1 }), vec![]),
        (json!({ "city": "Oslo", "limit": 0 }), vec!["`limit`: expected an integer of at least 1, got 0"]),
        (
            json!({ "city": "", "limit": "x" }),
            vec![
                "`city`: expected a string that is not empty, got \"\"",
                "`limit`: expected an integer of at least 1, got \"x\"",
            ],
        ),
        (
            json!({ "limit": 1 }),
            vec!["`city`: missing; expected a string that is not empty (The city name to look up.)"],
        ),
        (
            json!({ "city": "a", "limit": 1, "unit": "kelvin" }),
            vec!["`unit`: expected one of \"celsius\", \"fahrenheit\", got \"kelvin\""],
        ),
        (
            json!({ "city": "a", "limit": 1, "encodng": "x" }),
            vec!["unknown argument `encodng`; did you mean `encoding`?"],
        ),
        (json!({ "city": "a", "limit": 1, "Tags": [] }), vec!["unknown argument `Tags`; did you mean `tags`?"]),
        (
            json!({ "city": "a", "limit": 1, "encoding": "A" }),
            vec!["`encoding`: expected a string that matches `^[a-z]+$`, got \"A\""],
        ),
        (
            json!({ "city": "a", "limit": 1, "tags": ["toolong", 3] }),
            vec![
                "`tags[0]`: expected a string of at most 5 characters, got \"toolong\"",
                "`tags[1]`: expected a string of at most 5 characters, got 3",
            ],
        ),
        (
            json!({ "city": "a", "limit": 1, "tags": ["a", "a", "b"] }),
            vec![
                "`tags`: expected an array of at most 2 items, got 3 items",
                "`tags`: no two items may be equal, and \"a\" comes twice, at [0] and [1]",
            ],
        ),
        (
            json!({ "city": "a", "limit": 1, "filters": [{ "label": "x" }, { "lable": "x", "day": "2026-02-30" }] }),
            vec![
                "`filters[1].label`: missing; expected a string",
                "unknown argument `filters[1].lable`; did you mean `label`?",
                "`filters[1].day`: expected a date (YYYY-MM-DD), got \"2026-02-30\"",
            ],
        ),
        (
            json!({ "city": "a", "limit": 1, "ratio": 1.5 }),
            vec!["`ratio`: expected a number of at most 1 and greater than 0, got 1.5"],
        ),
        (json!({ "city": "a", "limit": 1, "maybe": "x" }), vec!["`maybe`: expected an integer or null, got \"x\""]),
        (
            json!({ "city": "a", "limit": 1, "map": { "a b": 1, "c": true } }),
            vec![
                "`map`: expected an object of at most 1 member, got 2",
                "`map[\"a b\"]`: expected true or false, got 1",
            ],
        ),
        (json!([1]), vec!["the arguments: expected an object, got [1]"]),
    ] {
        assert_eq!(said(&schema, &value), expected, "{value}");
    }
}

#[test]
fn an_unknown_argument_is_answered_with_the_known_ones() {
    let schema = json!({ "type": "object", "properties": { "path": {}, "mode": {} } });
    assert_eq!(said(&schema, &json!({ "zzz": 1 })), ["unknown argument `zzz`; known here: `path`, `mode`"]);
    assert_eq!(
        said(&json!({ "type": "object", "properties": {} }), &json!({ "zzz": 1 })),
        ["unknown argument `zzz`; none are taken here"]
    );
}

#[test]
fn a_key_of_a_map_is_answered_with_what_keys_look_like() {
    let map = |pattern: &str| json!({ "type": "object", "patternProperties": { pattern: { "type": "string" } }, "additionalProperties": false });
    for (pattern, form) in [
        (r"^\d+$", "be whole numbers from 0 on, like \"7\""),
        (r"^-?\d+$", "be whole numbers, like \"7\" or \"-7\""),
        ("^x-", "match `^x-`"),
    ] {
        assert_eq!(
            said(&map(pattern), &json!({ "zzz": "x" })),
            [format!("unknown argument `zzz`; keys here must {form}")]
        );
    }
    let mut mixed = map("^x-");
    mixed["properties"] = json!({ "path": {} });
    assert_eq!(
        said(&mixed, &json!({ "zzz": "x" })),
        ["unknown argument `zzz`; known here: `path`; other keys here must match `^x-`"]
    );
}

#[test]
fn the_items_that_are_equal_are_named() {
    let schema = json!({ "type": "array", "uniqueItems": true });
    assert_eq!(
        said(&schema, &json!([3, 1, 2, 1.0, 3])),
        ["the arguments: no two items may be equal, and 1.0 comes twice, at [1] and [3]"]
    );
    let many: Vec<usize> = (0..100_000).map(|n| n % 99_999).collect();
    assert_eq!(
        said(&schema, &json!(many)),
        ["the arguments: no two items may be equal, and 0 comes twice, at [0] and [99999]"]
    );
}

#[test]
fn a_long_value_is_shortened() {
    let fault = said(&json!({ "type": "integer" }), &json!("x".repeat(500))).remove(0);
    assert!(fault.len() < 200 && fault.contains("500 characters"), "{fault}");
    let fault = said(&json!({ "type": "integer" }), &json!(vec![1; 500])).remove(0);
    assert!(fault.len() < 200 && fault.contains("an array of 500"), "{fault}");
}

#[test]
fn of_alternatives_the_one_that_is_meant_is_explained() {
    let shape = json!({ "oneOf": [
        { "type": "object", "properties": { "type": { "const": "circle" }, "r": { "type": "number" } }, "required": ["type", "r"] },
        { "type": "object", "properties": { "type": { "const": "rect" }, "w": { "type": "number" }, "h": { "type": "number" } }, "required": ["type", "w", "h"] },
    ] });
    let schema = json!({ "type": "object", "properties": { "shape": shape } });
    for (value, expected) in [
        (json!({ "type": "circle", "r": "x" }), vec!["`shape.r`: expected a number, got \"x\""]),
        (
            json!({ "type": "rect", "w": 1, "r": 1 }),
            vec!["`shape.h`: missing; expected a number", "unknown argument `shape.r`; known here: `type`, `w`, `h`"],
        ),
        (json!({ "type": "oval" }), vec!["`shape.type`: expected one of \"circle\", \"rect\", got \"oval\""]),
        (json!({ "r": 1 }), vec!["`shape.type`: missing; expected one of \"circle\", \"rect\""]),
        (
            json!({ "Type": "circle", "r": 1 }),
            vec![
                "`shape.type`: missing; expected one of \"circle\", \"rect\"",
                "unknown argument `shape.Type`; did you mean `type`?",
            ],
        ),
        (
            json!({ "type": "oval", "zzz": 1 }),
            vec![
                "`shape.type`: expected one of \"circle\", \"rect\", got \"oval\"",
                "unknown argument `shape.zzz`; known here: `type`, `r`, `w`, `h`",
            ],
        ),
        (
            json!(7),
            vec![
                "`shape`: expected an object with `type`: \"circle\", `r` or an object with `type`: \"rect\", `w`, `h`, got 7",
            ],
        ),
    ] {
        assert_eq!(said(&schema, &json!({ "shape": value })), expected, "{value}");
    }

    let untagged = json!({ "anyOf": [{ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }, { "type": "object", "properties": { "lat": { "type": "number" }, "lon": { "type": "number" } }, "required": ["lat", "lon"] }, { "type": "null" }] });
    assert_eq!(said(&untagged, &json!({ "city": 7 })), ["`city`: expected a string, got 7"]);
    assert_eq!(
        said(&untagged, &json!({ "lat": 1 })),
        ["the arguments: expected an object with `city` or an object with `lat`, `lon` or null, got {\"lat\":1}"]
    );

    let external = json!({ "oneOf": [{ "type": "string", "enum": ["Unit"] }, { "type": "object", "properties": { "Circle": { "type": "object", "properties": { "r": { "type": "number" } }, "required": ["r"] } }, "required": ["Circle"], "additionalProperties": false }, { "type": "object", "properties": { "Square": { "type": "number" } }, "required": ["Square"], "additionalProperties": false }] });
    assert_eq!(said(&external, &json!({ "Square": "x" })), ["`Square`: expected a number, got \"x\""]);
    assert_eq!(
        said(&external, &json!("Unti")),
        ["the arguments: expected \"Unit\" or an object {\"Circle\": …} or an object {\"Square\": …}, got \"Unti\""]
    );
}

#[test]
fn a_closed_object_admits_what_the_schemas_around_it_know() {
    let flattened = json!({
        "type": "object", "properties": { "q": { "type": "string" } }, "required": ["q"],
        "oneOf": [
            { "type": "object", "properties": { "kind": { "const": "A" }, "a": { "type": "integer" } }, "required": ["kind", "a"] },
            { "type": "object", "properties": { "kind": { "const": "B" }, "b": { "type": "integer" } }, "required": ["kind", "b"] },
        ],
    });
    assert!(said(&flattened, &json!({ "q": "x", "kind": "A", "a": 1 })).is_empty());
    assert_eq!(
        said(&flattened, &json!({ "q": "x", "kind": "A", "a": 1, "b": 1 })),
        ["unknown argument `b`; known here: `kind`, `a`, `q`"]
    );
    assert_eq!(said(&flattened, &json!({ "q": "x", "kind": "A", "a": 1, "z": 1 })).len(), 1);

    let two = json!({ "type": "object", "properties": { "q": {} }, "allOf": [
        { "oneOf": [{ "properties": { "k": { "const": "A" }, "a": {} }, "required": ["k"] }, { "properties": { "k": { "const": "B" }, "b": {} }, "required": ["k"] }] },
        { "oneOf": [{ "properties": { "m": { "const": "C" }, "c": {} }, "required": ["m"] }, { "properties": { "m": { "const": "D" }, "d": {} }, "required": ["m"] }] },
    ] });
    assert!(said(&two, &json!({ "q": 1, "k": "A", "a": 1, "m": "D", "d": 1 })).is_empty());
    assert!(!said(&two, &json!({ "q": 1, "k": "A", "a": 1, "m": "D", "c": 1 })).is_empty());

    let all = json!({ "allOf": [{ "properties": { "a": {} } }, { "properties": { "b": {} } }, { "required": ["a"] }] });
    assert!(said(&all, &json!({ "a": 1, "b": 1 })).is_empty());
    assert!(!said(&all, &json!({ "a": 1, "c": 1 })).is_empty());

    let reference = json!({ "type": "object", "properties": { "tag": {} }, "$ref": "#/$defs/R", "$defs": { "R": { "type": "object", "properties": { "r": {}, "next": { "$ref": "#/$defs/R" } } } } });
    assert!(said(&reference, &json!({ "tag": 1, "r": 1, "next": { "r": 1 } })).is_empty());
    assert!(!said(&reference, &json!({ "tag": 1, "r": 1, "next": { "tag": 1 } })).is_empty());
}

#[test]
fn only_objects_that_list_their_properties_are_closed() {
    for schema in [
        json!({ "type": "object" }),
        json!({ "type": "object", "additionalProperties": true }),
        json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": { "type": "integer" } }),
        json!({ "type": "object", "properties": { "a": {} }, "patternProperties": { "^z": {} } }),
        json!({ "type": "object", "properties": { "a": {} }, "unevaluatedProperties": true }),
        json!({ "type": "object", "properties": { "a": {} }, "anyOf": [{ "type": "object", "additionalProperties": true }] }),
        json!({}),
        json!(true),
    ] {
        assert!(said(&schema, &json!({ "a": 1, "z": 1 })).is_empty(), "{schema}");
    }
    let not = json!({ "type": "object", "properties": { "a": {}, "b": {} }, "not": { "properties": { "a": { "const": 1 } }, "required": ["a"] } });
    assert!(
        !said(&not, &json!({ "a": 1, "b": 1 })).is_empty(),
        "what is not admitted does not get less by being closed"
    );
    assert!(Validator::new(&json!({ "properties": { "a": {} } })).unwrap().is_valid(&json!({ "z": 1 })));
}

#[test]
fn a_keyword_that_is_not_checked_is_refused_by_name() {
    for (schema, keyword, path) in [
        (json!({ "if": {} }), "if", "#/if"),
        (
            json!({ "properties": { "a/b": { "items": { "unevaluatedItems": false } } } }),
            "unevaluatedItems",
            "#/properties/a~1b/items/unevaluatedItems",
        ),
        (json!({ "anyOf": [{ "nullable": true }] }), "nullable", "#/anyOf/0/nullable"),
        (json!({ "properties": { "a": { "$id": "other" } } }), "$id", "#/properties/a/$id"),
        (json!({ "$defs": { "Unused": { "$dynamicRef": "#x" } } }), "$dynamicRef", "#/$defs/Unused/$dynamicRef"),
    ] {
        let expected = SchemaError::UnsupportedKeyword { keyword: keyword.into(), path: path.into() };
        assert_eq!(Validator::closed(&schema).unwrap_err(), expected);
        assert_eq!(Validator::new(&schema).is_err(), cfg!(not(feature = "jsonschema")), "{schema}");
    }
    assert!(Validator::new(&json!({ "$id": "https://example.com/a", "title": "A", "x-mine": 1, "readOnly": true, "format": "mine", "examples": [1], "$comment": "" })).is_ok());
}

#[test]
fn a_keyword_with_a_wrong_value_is_refused_with_its_place() {
    for schema in [
        json!({ "minimum": "x" }),
        json!({ "minLength": -1 }),
        json!({ "minLength": 1.5 }),
        json!({ "type": "text" }),
        json!({ "type": [] }),
        json!({ "multipleOf": 0 }),
        json!({ "required": "a" }),
        json!({ "required": [1] }),
        json!({ "properties": [] }),
        json!({ "enum": 1 }),
        json!({ "anyOf": [] }),
        json!({ "uniqueItems": 1 }),
        json!({ "format": 1 }),
        json!({ "pattern": 1 }),
        json!({ "contains": {}, "minContains": "x" }),
        json!({ "dependentRequired": { "a": 1 } }),
        json!({ "$ref": 1 }),
    ] {
        assert!(matches!(Validator::new(&schema), Err(SchemaError::InvalidKeyword { .. })), "{schema}");
    }
    assert_eq!(
        Validator::new(&json!({ "properties": { "a": { "minimum": "x" } } })).unwrap_err().to_string(),
        "keyword `minimum` at `#/properties/a/minimum` must be a number"
    );
    assert!(matches!(Validator::new(&json!({ "pattern": "(" })), Err(SchemaError::Pattern { .. })));
    assert!(matches!(Validator::new(&json!({ "items": [] })), Err(SchemaError::NotASchema { .. })));
    assert!(matches!(Validator::new(&json!({ "not": 7 })), Err(SchemaError::NotASchema { .. })));
    assert!(matches!(
        Validator::closed(&json!({ "$ref": "#/$defs/Nothing" })),
        Err(SchemaError::DanglingReference { .. })
    ));
    assert!(matches!(
        Validator::closed(&json!({ "$ref": "https://example.com/x" })),
        Err(SchemaError::DanglingReference { .. })
    ));
    let deep = (0..300).fold(json!({}), |schema, _| json!({ "items": schema }));
    assert!(matches!(Validator::new(&deep), Err(SchemaError::TooDeep { .. })));
}

#[test]
fn references_reach_every_place_of_the_schema() {
    let schema = json!({ "properties": { "a": { "$ref": "#/definitions/x~1y" }, "b": { "$ref": "#/properties/a" }, "c": { "$ref": "#/$defs/Map%3CA%3E" } }, "definitions": { "x/y": { "type": "integer" } }, "$defs": { "Map<A>": { "type": "null" } } });
    let validator = Validator::new(&schema).unwrap();
    assert!(validator.is_valid(&json!({ "a": 1, "b": 2, "c": null })));
    assert_eq!(validator.validate(&json!({ "a": "x", "b": "x", "c": 1 })).unwrap_err().len(), 3);
}

#[cfg(feature = "jsonschema")]
#[test]
fn with_the_feature_other_keywords_are_judged_by_the_crate() {
    let schema = json!({ "type": "object", "properties": { "a": { "type": "array", "items": { "if": { "type": "string" }, "then": { "minLength": 2 } } } } });
    let validator = Validator::new(&schema).unwrap();
    assert!(validator.is_valid(&json!({ "a": [1, "xy"] })));
    let faults = validator.validate(&json!({ "a": [1, "x"] })).unwrap_err();
    assert_eq!(faults[0].path(), "a[1]");
    assert!(Validator::new(&json!({ "if": 7 })).is_err());
}
