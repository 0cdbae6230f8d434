//! The validator against the `jsonschema` crate, over generated schemas and values.

mod generated;

use agentscope_tool::schema::{SchemaError, Validator};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use generated::{FORMATS, PATTERNS, TEXTS, fitting, reference, root_schema, text, value, verdict, without};

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_judges_as_the_jsonschema_crate_does(
        (schema, values) in root_schema().prop_flat_map(|schema| {
            let values = vec(fitting(&schema, &schema, 4), 1..8);
            (Just(schema), values)
        })
    ) {
        let ours = Validator::new(&schema).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let theirs = reference(&schema);
        for value in values {
            let Some(expected) = verdict(&theirs, &value) else { continue };
            prop_assert_eq!(ours.is_valid(&value), expected, "schema {} value {}", schema, value);
            match ours.validate(&value) {
                Ok(()) => prop_assert!(expected),
                Err(faults) => {
                    prop_assert!(!expected && !faults.is_empty());
                    prop_assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
                }
            }
        }
    }

    #[test]
    fn it_reads_texts_as_the_jsonschema_crate_does(format in select(FORMATS), pattern in select(PATTERNS), text in prop_oneof![text(), "[a-z0-9:@.\\-T/\\[\\]%+Z\" ]{0,24}"]) {
        let schema = json!({ "format": format });
        prop_assert_eq!(Validator::new(&schema).unwrap().is_valid(&json!(text)), reference(&schema).is_valid(&json!(text)), "{} {:?}", format, text);
        let schema = json!({ "pattern": pattern });
        prop_assert_eq!(Validator::new(&schema).unwrap().is_valid(&json!(text)), reference(&schema).is_valid(&json!(text)), "{} {:?}", pattern, text);
    }

    /// What is closed is only ever refused more, where no alternatives exclude each other.
    #[test]
    fn a_closed_schema_admits_no_more_than_an_open_one(
        (schema, value) in root_schema().prop_flat_map(|mut schema| {
            without(&mut schema, &["oneOf", "not", "unevaluatedProperties"]);
            let value = fitting(&schema, &schema, 4);
            (Just(schema), value)
        })
    ) {
        if let (Ok(open), Ok(closed)) = (Validator::new(&schema), Validator::closed(&schema)) {
            prop_assert!(!closed.is_valid(&value) || open.is_valid(&value));
        }
    }

    #[test]
    fn no_json_makes_the_compiler_panic(schema in value()) {
        for result in [Validator::new(&schema), Validator::closed(&schema)] {
            if let Err(error) = result {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn the_texts_of_every_format_are_judged_alike() {
    for format in FORMATS {
        let schema = json!({ "format": format });
        let (ours, theirs) = (Validator::new(&schema).unwrap(), reference(&schema));
        for text in TEXTS {
            assert_eq!(ours.is_valid(&json!(text)), theirs.is_valid(&json!(text)), "{format} {text:?}");
        }
    }
}

#[test]
fn generated_values_fit_often_enough_to_prove_something() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let (mut valid, mut total) = (0, 0);
    for _ in 0..300 {
        let schema = root_schema().new_tree(&mut runner).unwrap().current();
        let validator = reference(&schema);
        for _ in 0..4 {
            let value = fitting(&schema, &schema, 4).new_tree(&mut runner).unwrap().current();
            valid += u32::from(validator.is_valid(&value));
            total += 1;
        }
    }
    assert!(valid * 3 > total && valid * 10 < total * 9, "{valid} of {total} values are valid");
}

#[test]
fn an_alternative_that_leads_back_to_itself_does_not_run_for_ever() {
    // Each level could double the work: both alternatives fail, and only at the innermost value.
    let branch = |name: &str| json!({ "type": "object", "properties": { "next": { "$ref": "#" }, name: { "type": "string" } }, "required": ["next"] });
    let schema = json!({ "anyOf": [branch("a"), branch("b"), { "type": "null" }] });
    let mut value = json!(7);
    for _ in 0..60 {
        value = json!({ "next": value });
    }
    let validator = Validator::new(&schema).unwrap();
    assert!(!validator.is_valid(&value));
    assert!(!validator.validate(&value).unwrap_err().is_empty());
}

#[test]
fn a_schema_that_applies_itself_in_place_is_refused() {
    for schema in [
        json!({ "$ref": "#" }),
        json!({ "$defs": { "A": { "allOf": [{ "$ref": "#/$defs/B" }] }, "B": { "not": { "$ref": "#/$defs/A" } } }, "$ref": "#/$defs/A" }),
    ] {
        for result in [Validator::new(&schema), Validator::closed(&schema)] {
            assert!(matches!(result, Err(SchemaError::EndlessReference { .. })));
        }
    }
}
