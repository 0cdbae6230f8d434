//! The natural form of a schema admits what the schema of the type admits, `null` for optional properties aside.

mod generated;

use std::collections::BTreeMap;

use agentscope_tool::schema::Validator;
use agentscope_tool::schema::natural::{generator, natural};
use proptest::prelude::*;
use proptest::sample::select;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use generated::{fitting, reference};

/// A choice.
#[derive(Deserialize, JsonSchema)]
enum Choice {
    /// One.
    One,
    /// Two.
    Two,
    Three,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Inner {
    a: u8,
    b: Option<String>,
    c: Option<Choice>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
enum External {
    Nothing,
    Number(i32),
    Struct { a: bool },
    Inner(Inner),
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "b")]
#[allow(dead_code)]
enum Internal {
    Inner(Plain),
    Struct { a: Option<i8> },
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "a", content = "c")]
#[allow(dead_code)]
enum Adjacent {
    Number(f64),
    Nothing,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(i64),
    Text(String),
    Both { a: String, c: Option<u32> },
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Plain {
    x1: f64,
    x2: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Tree {
    a: Option<Box<Tree>>,
    #[serde(default)]
    b: Vec<Tree>,
    c: Option<Choice>,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Flat {
    a: u8,
    #[serde(flatten)]
    plain: Plain,
    #[serde(flatten)]
    internal: Internal,
}

#[derive(Deserialize, JsonSchema)]
#[allow(dead_code)]
struct Everything {
    a: External,
    b: Option<Internal>,
    c: Option<(u8, Option<Choice>)>,
    x1: BTreeMap<String, Tree>,
    #[schemars(length(max = 2), inner(range(min = 3)))]
    x2: Vec<u16>,
}

/// The value without `null` members: the types above have no required property that may be `null`.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => Value::Object(
            members
                .into_iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key, without_nulls(value)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

fn forms() -> Vec<(Value, Value)> {
    fn both<T: JsonSchema>() -> (Value, Value) {
        (generator().into_root_schema_for::<T>().to_value(), natural::<T>())
    }
    vec![
        both::<Choice>(),
        both::<Inner>(),
        both::<External>(),
        both::<Internal>(),
        both::<Adjacent>(),
        both::<Untagged>(),
        both::<Tree>(),
        both::<Flat>(),
        both::<Everything>(),
        both::<Vec<Option<Choice>>>(),
        both::<Option<Tree>>(),
        both::<(i8, Untagged)>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_forms_admit_the_same_values(
        (raw, form, value) in select(forms()).prop_flat_map(|(raw, form)| { let value = fitting(&raw, &raw, 6); (Just(raw), Just(form), value) })
    ) {
        let value = without_nulls(value);
        let admitted = reference(&raw).is_valid(&value);
        prop_assert_eq!(reference(&form).is_valid(&value), admitted, "{} {} {}", raw, form, value);
        prop_assert_eq!(Validator::new(&form).unwrap().is_valid(&value), admitted);
        prop_assert!(Validator::closed(&form).is_ok());
    }
}
