//! Generated schemas, and values that are likely to fit them.

// Each test program uses a part of this.
#![allow(dead_code)]

use agentscope_tool::schema::Validator;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

/// Names of properties.
pub const KEYS: &[&str] = &["a", "b", "c", "x1", "x2", "é", "A b"];
/// Regular expressions.
pub const PATTERNS: &[&str] = &["^[a-z]+$", r"^\d{2,3}$", "b", r"\w-\w", "^.$", r"^[^\s]*$", "é|ß", "^$"];
/// Formats, one of which is nobody's.
pub const FORMATS: &[&str] = &["date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname-of-mine"];
/// Texts that fit one or the other rule.
pub const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "abc",
    "a-b",
    "12",
    "123",
    "1234",
    "é",
    "ß",
    "日本語",
    "😀",
    "\n",
    " ",
    "a b",
    "١٢",
    "A",
    "2026-02-28",
    "2026-02-30",
    "2024-02-29",
    "2026-01-31T09:30:00Z",
    "2026-01-31T23:59:60Z",
    "2026-01-31T09:30:00.5+02:00",
    "2026-01-31 09:30:00Z",
    "09:30:00Z",
    "09:30:00",
    "23:59:60Z",
    "24:00:00Z",
    "00:29:60+00:30",
    "ada@example.com",
    "\"a b\"@x.org",
    "a@[127.0.0.1]",
    "a@b..c",
    "@b",
    "a@-b.c",
    "a.@b.c",
    "é@b.c",
    "a@x--y.org",
    "a@ab--y.org",
    "https://example.com/a?b=c#d",
    "mailto:a@b.c",
    "/relative",
    "http://[::1]:80/x",
    "http://[::1",
    "http://a b/",
    "a:b",
    "1a:b",
    "http://%zz",
    "urn:x:y%20z",
    "http://u@h:x/",
    "123e4567-e89b-12d3-a456-426614174000",
    "123E4567-E89B-12D3-A456-426614174000",
    "123e4567e89b12d3a456426614174000",
    "127.0.0.1",
    "256.0.0.1",
    "01.2.3.4",
    "::1",
    "::ffff:1.2.3.4",
    "1::2::3",
    "fe80::1%eth0",
];

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => (-5_i64..12).prop_map(Value::from),
        3 => (-8_i32..24).prop_map(|half| json!(f64::from(half) / 2.0)),
        1 => (-30_i32..30).prop_map(|tenth| json!(f64::from(tenth) / 10.0)),
        1 => any::<i64>().prop_map(Value::from),
        1 => select(vec![
            json!(3.0), json!(1e300), json!(-0.0), json!(0), json!(u64::MAX), json!(i64::MIN), json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0),
            json!(18_446_744_073_709_551_616.0), json!(5e-324), json!(0.1), json!(1e16),
        ]),
    ]
}

/// Some text.
pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![5 => select(TEXTS).prop_map(str::to_owned), 1 => "\\PC{0,6}"]
}

/// Any JSON.
pub fn value() -> impl Strategy<Value = Value> {
    let leaf =
        prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number(), text().prop_map(Value::from)];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(select(KEYS).prop_map(str::to_owned), inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// An object of those of the given keywords that a coin says.
fn some(keywords: Vec<(&'static str, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let all: Vec<_> = keywords
        .into_iter()
        .map(|(name, value)| proptest::option::weighted(0.3, value).prop_map(move |value| (name, value)))
        .collect();
    all.prop_map(|keywords| {
        Value::Object(keywords.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    })
    .boxed()
}

fn size(max: u64) -> BoxedStrategy<Value> {
    prop_oneof![9 => (0..=max).prop_map(Value::from), 1 => (0..=max).prop_map(|size| json!(size as f64))].boxed()
}

fn with(kind: &'static str, rules: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    (rules, proptest::bool::weighted(0.9))
        .prop_map(move |(mut rules, typed)| {
            if typed {
                rules["type"] = json!(kind);
            }
            rules
        })
        .boxed()
}

fn leaf_schema() -> BoxedStrategy<Value> {
    let bounds = || {
        some(vec![
            ("minimum", number().boxed()),
            ("maximum", number().boxed()),
            ("exclusiveMinimum", (-4_i64..4).prop_map(Value::from).boxed()),
            ("exclusiveMaximum", number().boxed()),
            (
                "multipleOf",
                // Not 1.5: of floats as large as 1e300, the two divide by it with different exactness.
                select(vec![json!(1), json!(2), json!(3), json!(2.0), json!(0.5), json!(0.1), json!(0.25)]).boxed(),
            ),
        ])
    };
    let texts = some(vec![
        ("minLength", size(4)),
        ("maxLength", size(40)),
        ("pattern", select(PATTERNS).prop_map(Value::from).boxed()),
        ("format", select(FORMATS).prop_map(Value::from).boxed()),
        ("description", Just(json!("A text.")).boxed()),
    ]);
    let types = subsequence(vec!["null", "boolean", "integer", "number", "string", "array", "object"], 1..4)
        .prop_map(|types| json!({ "type": types }));
    prop_oneof![
        3 => with("integer", bounds()),
        3 => with("number", bounds()),
        5 => with("string", texts),
        1 => select(vec!["null", "boolean"]).prop_map(|kind| json!({ "type": kind })),
        2 => types,
        2 => vec(value(), 1..4).prop_map(|values| json!({ "enum": values })),
        2 => value().prop_map(|value| json!({ "const": value })),
        1 => any::<bool>().prop_map(Value::from),
        1 => Just(json!({})),
    ]
    .boxed()
}

/// A schema for a property or an item: there a reference may lead anywhere.
fn inside(schema: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let reference = select(vec!["#", "#/$defs/A", "#/$defs/B"]);
    prop_oneof![
        8 => schema,
        1 => reference.clone().prop_map(|reference| json!({ "$ref": reference })),
        1 => reference.prop_map(|reference| json!({ "description": "Again.", "$ref": reference })),
    ]
    .boxed()
}

fn keys() -> BoxedStrategy<Value> {
    vec(select(KEYS), 0..3)
        .prop_map(|mut keys| {
            keys.sort_unstable();
            keys.dedup();
            json!(keys)
        })
        .boxed()
}

fn composite(schema: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    let inner = inside(schema.clone());
    let properties = btree_map(select(KEYS).prop_map(str::to_owned), inner.clone(), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()));
    let objects = with(
        "object",
        some(vec![
            ("properties", properties.boxed()),
            ("required", keys()),
            ("additionalProperties", prop_oneof![any::<bool>().prop_map(Value::from), inner.clone()].boxed()),
            ("patternProperties", inner.clone().prop_map(|schema| json!({ "^x": schema })).boxed()),
            ("unevaluatedProperties", prop_oneof![any::<bool>().prop_map(Value::from), inner.clone()].boxed()),
            (
                "propertyNames",
                select(vec![
                    json!({ "maxLength": 1 }),
                    json!({ "pattern": "^[a-z]" }),
                    json!({ "enum": ["a", "b", "x1"] }),
                ])
                .boxed(),
            ),
            ("minProperties", size(2)),
            ("maxProperties", size(4)),
            ("dependentRequired", keys().prop_map(|keys| json!({ "a": keys })).boxed()),
        ]),
    );
    let arrays = with(
        "array",
        some(vec![
            ("items", inner.clone()),
            ("prefixItems", vec(inner.clone(), 1..3).prop_map(Value::from).boxed()),
            ("contains", inner),
            ("minContains", size(2)),
            ("maxContains", size(3)),
            ("minItems", size(2)),
            ("maxItems", size(4)),
            ("uniqueItems", any::<bool>().prop_map(Value::from).boxed()),
        ]),
    );
    let branches = || vec(schema.clone(), 1..4).prop_map(Value::from).boxed();
    let combined = (
        schema.clone(),
        some(vec![("anyOf", branches()), ("oneOf", branches()), ("allOf", branches()), ("not", schema.clone())]),
    )
        .prop_map(|(base, more)| match (base, more) {
            (Value::Object(mut base), Value::Object(more)) => {
                base.extend(more);
                Value::Object(base)
            }
            (base, _) => base,
        });
    prop_oneof![4 => objects, 3 => arrays, 3 => combined].boxed()
}

/// A schema, with definitions that it may refer to.
pub fn root_schema() -> BoxedStrategy<Value> {
    let schema = leaf_schema().prop_recursive(3, 20, 4, |inner| composite(inner.boxed())).boxed();
    let root = prop_oneof![4 => composite(schema.clone()), 1 => schema.clone()];
    // In place, too: the definitions lead elsewhere only through properties and items.
    let reference = proptest::option::weighted(0.2, select(vec!["#/$defs/A", "#/$defs/B"]));
    (root, schema.clone(), composite(schema), reference)
        .prop_map(|(root, a, b, reference)| match root {
            Value::Object(mut root) => {
                root.insert("$defs".to_owned(), json!({ "A": a, "B": b }));
                root.extend(reference.map(|reference| ("$ref".to_owned(), json!(reference))));
                Value::Object(root)
            }
            other => other,
        })
        .boxed()
}

/// The rules of a schema for simple values.
fn alone(rules: &Map<String, Value>) -> Value {
    let is_simple = |key: &str| !["$ref", "$defs", "anyOf", "oneOf", "allOf", "not"].contains(&key);
    Value::Object(
        rules.iter().filter(|(key, _)| is_simple(key)).map(|(key, value)| (key.clone(), value.clone())).collect(),
    )
}

fn simple_values() -> impl Iterator<Item = Value> {
    let numbers = (-4..10).map(|half| json!(f64::from(half) / 2.0)).chain((-3..10).map(Value::from)).chain([
        json!(1e300),
        json!(u64::MAX),
        json!(-0.0),
    ]);
    TEXTS.iter().map(|text| json!(text)).chain(numbers)
}

/// The schema without the keywords that are named.
pub fn without(schema: &mut Value, keywords: &[&str]) {
    match schema {
        Value::Object(members) => {
            members.retain(|key, _| !keywords.contains(&key.as_str()));
            members.values_mut().for_each(|inner| without(inner, keywords));
        }
        Value::Array(items) => items.iter_mut().for_each(|inner| without(inner, keywords)),
        _ => {}
    }
}

/// A value that is likely to fit `schema`: where it has to guess, it guesses well.
pub fn fitting(schema: &Value, root: &Value, depth: u32) -> BoxedStrategy<Value> {
    let Value::Object(rules) = schema else { return value().boxed() };
    if depth == 0 {
        return value().boxed();
    }
    let inner = |schema: &Value| fitting(schema, root, depth - 1);
    let mut choices: Vec<(u32, BoxedStrategy<Value>)> = vec![(1, value().boxed())];
    // Our own verdict only chooses what is tried more often.
    let fits = Validator::new(&alone(rules));
    let simple: Vec<Value> =
        fits.iter().flat_map(|fits| simple_values().filter(|value| fits.is_valid(value))).collect();
    if !simple.is_empty() {
        choices.push((12, select(simple).boxed()));
    }
    if let Some(values) = rules.get("enum").and_then(Value::as_array) {
        choices.push((8, select(values.clone()).boxed()));
    }
    if let Some(constant) = rules.get("const") {
        choices.push((8, Just(constant.clone()).boxed()));
    }
    for branch in ["anyOf", "oneOf", "allOf"].iter().filter_map(|keyword| rules.get(*keyword)?.as_array()).flatten() {
        choices.push((3, inner(branch)));
    }
    if let Some(reference) = rules.get("$ref").and_then(Value::as_str) {
        let target = if reference == "#" { Some(root) } else { root.pointer(&reference[1..]) };
        choices.extend(target.map(|target| (6, inner(target))));
    }
    let names = match rules.get("type") {
        Some(Value::String(name)) => vec![name.as_str()],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ if rules.contains_key("properties") || rules.contains_key("required") => vec!["object"],
        _ if rules.contains_key("items") || rules.contains_key("prefixItems") => vec!["array"],
        _ => vec![],
    };
    for name in names {
        let strategy = match name {
            "null" => Just(Value::Null).boxed(),
            "boolean" => any::<bool>().prop_map(Value::from).boxed(),
            "integer" | "number" => number().boxed(),
            "string" => text().prop_map(Value::from).boxed(),
            "array" => {
                let prefix: Vec<_> =
                    rules.get("prefixItems").and_then(Value::as_array).into_iter().flatten().map(&inner).collect();
                let rest = rules.get("contains").or(rules.get("items")).map_or_else(|| value().boxed(), &inner);
                (prefix, vec(rest, 0..4))
                    .prop_map(|(mut items, rest)| {
                        items.extend(rest);
                        Value::from(items)
                    })
                    .boxed()
            }
            _ => {
                let required: Vec<&str> = rules
                    .get("required")
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                    .filter_map(Value::as_str)
                    .collect();
                let none = Map::new();
                let properties = rules.get("properties").and_then(Value::as_object).unwrap_or(&none);
                let mut members: Vec<BoxedStrategy<Option<(String, Value)>>> = Vec::new();
                for (key, schema) in properties {
                    let probability = if required.contains(&key.as_str()) { 0.95 } else { 0.6 };
                    let key = key.clone();
                    members.push(
                        proptest::option::weighted(probability, inner(schema))
                            .prop_map(move |value| Some((key.clone(), value?)))
                            .boxed(),
                    );
                }
                for key in required.into_iter().filter(|key| !properties.contains_key(*key)) {
                    let key = key.to_owned();
                    members.push(value().prop_map(move |value| Some((key.clone(), value))).boxed());
                }
                let more = rules.get("additionalProperties").map_or_else(|| value().boxed(), &inner);
                let more = proptest::option::weighted(0.3, (select(KEYS), more))
                    .prop_map(|more| more.map(|(key, value)| (key.to_owned(), value)));
                members.insert(0, more.boxed());
                members.prop_map(|members| Value::Object(members.into_iter().flatten().collect())).boxed()
            }
        };
        choices.push((10, strategy));
    }
    proptest::strategy::Union::new_weighted(choices).boxed()
}

/// The validator that ours is compared with. Every generated schema is a good one.
#[allow(clippy::unwrap_used)]
pub fn reference(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::options().should_validate_formats(true).build(schema).unwrap()
}

/// What that validator says, or nothing: over rare schemas whose references lead in circles it panics.
pub fn verdict(reference: &jsonschema::Validator, value: &Value) -> Option<bool> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reference.is_valid(value))).ok()
}
