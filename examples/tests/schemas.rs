//! The schemas of all tools: as they were before, valid, and in agreement with an independent validator.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use agentscope_tool::{AgentState, ToolSpec, Toolkit};
use agentscope_tool_examples::project::Project;
use agentscope_tool_examples::tools;
use serde_json::{Value, json};

fn toolkit() -> Toolkit {
    tools::toolkit(Project::this_repository().unwrap()).unwrap()
}

/// For each tool: arguments that have to be accepted, and arguments that have to be refused.
fn samples() -> Vec<(&'static str, Vec<Value>, Vec<Value>)> {
    vec![
        (
            "search_files",
            vec![
                json!({}),
                json!({ "directory": "src", "order": "largest_first", "limit": 100 }),
                json!({ "filter": {} }),
                json!({ "filter": { "extensions": ["rs", "toml"], "size": { "min": 1, "max": 10 } } }),
                json!({ "filter": { "size": {} } }),
            ],
            vec![
                json!({ "directory": "" }),
                json!({ "directory": 1 }),
                json!({ "order": "LargestFirst" }),
                json!({ "limit": 0 }),
                json!({ "limit": 101 }),
                json!({ "limit": 1.5 }),
                json!({ "filter": [] }),
                json!({ "filter": { "extensions": [] } }),
                json!({ "filter": { "extensions": [""] } }),
                json!({ "filter": { "extensions": [1] } }),
                json!({ "filter": { "size": { "min": -1 } } }),
                json!({ "filter": { "size": { "max": "10" } } }),
            ],
        ),
        (
            "count_lines",
            vec![json!({ "path": "a" }), json!({ "path": "a", "blank_lines": false })],
            vec![json!({}), json!({ "path": "" }), json!({ "path": "a", "blank_lines": 1 })],
        ),
        (
            "find_lines",
            vec![
                json!({ "path": "a", "text": "b" }),
                json!({ "path": "a", "text": "ä".repeat(200), "case_sensitive": true, "limit": 1 }),
            ],
            vec![
                json!({ "path": "a" }),
                json!({ "text": "a" }),
                json!({ "path": "a", "text": "" }),
                json!({ "path": "a", "text": "ä".repeat(201) }),
                json!({ "path": "a", "text": "b", "limit": 1001 }),
                json!({ "path": "a", "text": "b", "case_sensitive": "yes" }),
            ],
        ),
        (
            "ReadFile",
            vec![json!({ "path": "a" }), json!({ "path": "a", "from": 7, "lines": 1 })],
            vec![
                json!({}),
                json!({ "path": "a", "from": 0 }),
                json!({ "path": "a", "lines": 0 }),
                json!({ "path": "a", "lines": -1 }),
                json!({ "path": ["a"] }),
            ],
        ),
        (
            "take_note",
            vec![json!({ "text": "a" }), json!({ "text": "a", "importance": "high" })],
            vec![
                json!({}),
                json!({ "text": "" }),
                json!({ "text": "a".repeat(501) }),
                json!({ "text": "a", "importance": "High" }),
            ],
        ),
        (
            "list_notes",
            vec![json!({}), json!({ "importance": "low" })],
            vec![json!({ "importance": "medium" }), json!({ "importance": 1 })],
        ),
        (
            "human_approval",
            vec![json!({ "action": "a", "reason": "" })],
            vec![
                json!({ "action": "a" }),
                json!({ "action": "", "reason": "b" }),
                json!({ "action": "a", "reason": null }),
            ],
        ),
    ]
}

fn each_spec(check: impl Fn(&ToolSpec)) {
    toolkit().specs(&AgentState::new()).iter().for_each(check);
}

#[test]
fn the_model_is_shown_what_it_was_shown_before() {
    for schema in toolkit().schemas(&AgentState::new()) {
        let name = schema["function"]["name"].as_str().unwrap().to_owned();
        insta::assert_json_snapshot!(format!("schema_{name}"), schema);
    }
}

#[test]
fn results_are_promised_as_they_were_before() {
    each_spec(|spec| {
        if let Some(schema) = spec.output_schema() {
            insta::assert_json_snapshot!(format!("output_{}", spec.name()), schema);
        }
    });
}

#[test]
fn every_schema_is_a_valid_schema() {
    each_spec(|spec| {
        for schema in [Some(spec.input_schema()), spec.output_schema()].into_iter().flatten() {
            if let Err(error) = jsonschema::draft202012::meta::validate(schema) {
                panic!("{}: {error}", spec.name());
            }
        }
    });
}

#[test]
fn every_tool_has_samples() {
    let names: Vec<_> = samples().iter().map(|(name, ..)| *name).collect();
    each_spec(|spec| assert!(names.contains(&spec.name()), "{} has no samples", spec.name()));
    assert_eq!(names.len(), toolkit().specs(&AgentState::new()).len());
}

#[test]
fn what_should_be_accepted_is_and_what_should_be_refused_is_by_both_validators() {
    let toolkit = toolkit();
    for (name, accepted, refused) in samples() {
        let spec = toolkit.spec(name).unwrap();
        let other = jsonschema::draft202012::new(spec.input_schema()).unwrap();
        for sample in accepted {
            assert!(other.is_valid(&sample), "jsonschema refuses {name} {sample}");
            assert_eq!(spec.validator().validate(&sample), Ok(()), "{name} {sample}");
        }
        for sample in refused {
            assert!(!other.is_valid(&sample), "jsonschema accepts {name} {sample}");
            assert!(spec.validator().validate(&sample).is_err(), "{name} {sample}");
        }
    }
}

#[test]
fn keys_that_a_tool_does_not_have_are_refused_at_every_depth() {
    let toolkit = toolkit();
    for (name, sample) in [
        ("search_files", json!({ "filters": {} })),
        ("search_files", json!({ "filter": { "extension": ["rs"] } })),
        ("search_files", json!({ "filter": { "size": { "minimum": 1 } } })),
        ("ReadFile", json!({ "path": "a", "line": 1 })),
        ("list_notes", json!({ "all": true })),
    ] {
        let spec = toolkit.spec(name).unwrap();
        assert!(spec.validator().validate(&sample).is_err(), "{name} {sample}");
    }
}
