use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::ToolSpec;

fn spec(schema: Value) -> ToolSpec {
    ToolSpec::builder("search", "Search.").input_schema(schema).build()
}

fn cases() -> Vec<Value> {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/schema.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The profile under the name that the cases have for it.
fn of_case(name: &str) -> Profile {
    match name {
        "gemini_openapi" => Profile::GeminiParameters,
        "gemini_jsonschema" => Profile::Gemini,
        name => name.parse().unwrap(),
    }
}

#[test]
fn what_has_a_portable_form_is_taken_by_every_provider_and_what_has_none_by_no_strict_one() {
    for case in cases().iter().filter(|case| case["raw_schema"].is_object()) {
        let natural = crate::schema::natural::normalise(case["raw_schema"].clone());
        let spec = spec(natural);
        for profile in Profile::ALL {
            let rendered = spec.render(*profile);
            let id = &case["id"];
            if let Some((_, accepts)) = case["accepts_normalised"]
                .as_object()
                .and_then(|all| all.iter().find(|(name, _)| of_case(name) == *profile))
            {
                assert_eq!(rendered.is_ok(), accepts == true, "{id} {profile}: {rendered:?}");
            } else if profile.is_strict() || *profile == Profile::GeminiParameters {
                assert!(rendered.is_err(), "{id} {profile}: {rendered:?}");
            }
        }
    }
}

fn rich() -> Value {
    json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "minLength": 1, "description": "What to search for." },
            "limit": { "type": "integer", "minimum": 1, "maximum": 50, "default": 10 },
            "order": { "type": "string", "enum": ["newest", "oldest"] },
            "tags": { "type": "array", "items": { "type": "string" } },
            "near": {
                "type": "object",
                "properties": { "x": { "type": "number" }, "y": { "type": "number" } },
                "required": ["x", "y"],
                "description": "A place."
            }
        },
        "required": ["text", "order"]
    })
}

#[test]
fn each_provider_is_told_of_a_tool_in_its_own_way() {
    let spec = ToolSpec::builder("search", "Search.").input_schema(rich()).read_only(true).title("Search").build();
    assert_eq!(spec.faults(), []);
    for profile in Profile::ALL {
        insta::assert_json_snapshot!(profile.name(), spec.render(*profile).unwrap());
    }
    for profile in [Profile::OpenAi, Profile::OpenAiStrict] {
        let rendered = spec.render_for(profile, Api::Responses).unwrap();
        assert_eq!(rendered["type"], "function");
        assert_eq!((&rendered["name"], &rendered["strict"]), (&json!("search"), &json!(profile.is_strict())));
    }
}

#[test]
fn a_tool_without_arguments_is_told_of_too() {
    let spec = ToolSpec::builder("ping", "Ping.").no_params().build();
    for profile in Profile::ALL {
        let rendered = spec.render(*profile).unwrap();
        let has_schema = rendered.to_string().contains("\"properties\":{}");
        assert_eq!(has_schema, *profile != Profile::GeminiParameters, "{profile}: {rendered}");
    }
}

#[test]
fn what_is_refused_is_told_with_its_place_and_a_way_out() {
    let bad = json!({
        "type": "object",
        "properties": {
            "filter[id]": { "type": "string" },
            "map": { "type": "object", "additionalProperties": { "type": "string" } },
            "list": { "type": "array", "items": { "type": "object", "properties": { "any": {} } } },
            "node": { "$ref": "#/$defs/Node" }
        },
        "$defs": { "Node": { "type": "object", "properties": { "next": { "$ref": "#/$defs/Node" } } } }
    });
    let spec = spec(bad);
    let told: Vec<_> = Profile::ALL
        .iter()
        .map(|profile| {
            spec.render(*profile).map_or_else(|error| error.to_string(), |_| format!("accepted by {profile}"))
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    let long = ToolSpec::builder("a".repeat(65), "D.").no_params().build();
    assert!(long.render(Profile::OpenAi).is_err() && long.render(Profile::Mcp).is_ok());
    let digit = ToolSpec::builder("1st", "D.").no_params().build();
    insta::assert_snapshot!(digit.render(Profile::Gemini).unwrap_err());
}

#[test]
fn what_is_too_much_for_strict_decoding_is_counted() {
    let many = |count: usize| {
        let properties: serde_json::Map<_, _> =
            (0..count).map(|n| (format!("p{n}"), json!({ "type": "string" }))).collect();
        spec(json!({ "type": "object", "properties": properties }))
    };
    assert!(many(16).render(Profile::AnthropicStrict).is_ok());
    insta::assert_snapshot!(many(17).render(Profile::AnthropicStrict).unwrap_err());
    assert!(many(5001).render(Profile::OpenAiStrict).is_err());
    let nested = |levels: usize| {
        let inner = (1..levels).fold(
            json!({ "type": "string" }),
            |inner, _| json!({ "type": "object", "properties": { "n": inner }, "required": ["n"] }),
        );
        spec(json!({ "type": "object", "properties": { "n": inner }, "required": ["n"] }))
    };
    assert!(nested(10).render(Profile::OpenAiStrict).is_ok());
    assert!(nested(11).render(Profile::OpenAiStrict).is_err());
}
