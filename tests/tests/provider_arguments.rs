//! Arguments as they come back from providers that were told of a tool in the portable form, in which everything is required
//! and what is optional may be `null`.

use agentscope_tool::prelude::*;
use agentscope_tool::schema::Profile;
use serde_json::{Value, json};

/// How to sort.
#[tool_args]
#[derive(Debug)]
#[serde(rename_all = "snake_case")]
enum Order {
    Newest,
    Oldest,
}

/// A place.
#[tool_args(undocumented)]
#[derive(Debug)]
struct Near {
    x: f64,
    #[serde(default)]
    y: f64,
    label: Option<String>,
    #[serde(default = "ten")]
    radius: u32,
}

fn ten() -> u32 {
    10
}

/// A shape.
#[tool_args(undocumented)]
#[derive(Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle {
        r: f64,
        #[serde(default)]
        filled: bool,
    },
    Line {
        to: Option<Near>,
    },
}

/// Search.
#[allow(clippy::too_many_arguments, reason = "one of each kind")]
#[tool(undocumented)]
async fn search(
    text: String,
    #[arg(default = 7)] limit: u32,
    order: Option<Order>,
    #[arg(default = vec!["a".to_owned()])] tags: Vec<String>,
    near: Option<Near>,
    all: Vec<Near>,
    shape: Option<Shape>,
    pair: (u8, String),
) -> String {
    format!("{text} {limit} {order:?} {tags:?} {near:?} {all:?} {shape:?} {pair:?}")
}

async fn answer(arguments: Value) -> String {
    testing::call(Search, arguments).await.text()
}

#[tokio::test]
async fn null_stands_for_what_is_left_out_at_every_depth() {
    let near = json!({ "x": 1, "y": null, "label": null, "radius": null });
    let written = json!({
        "text": "t", "limit": null, "order": null, "tags": null, "near": near, "all": [near, near],
        "shape": { "kind": "line", "to": near }, "pair": [1, "b"]
    });
    let plain = json!({
        "text": "t", "near": { "x": 1 }, "all": [{ "x": 1 }, { "x": 1 }], "shape": { "kind": "line", "to": { "x": 1 } }, "pair": [1, "b"]
    });
    let shown = answer(plain).await;
    assert_eq!(
        shown,
        "t 7 None [\"a\"] Some(Near { x: 1.0, y: 0.0, label: None, radius: 10 }) \
         [Near { x: 1.0, y: 0.0, label: None, radius: 10 }, Near { x: 1.0, y: 0.0, label: None, radius: 10 }] \
         Some(Line { to: Some(Near { x: 1.0, y: 0.0, label: None, radius: 10 }) }) (1, \"b\")"
    );
    assert_eq!(answer(written).await, shown);

    let circle =
        json!({ "text": "t", "all": [], "shape": { "kind": "circle", "r": 2, "filled": null }, "pair": [1, "b"] });
    assert!(answer(circle).await.contains("Circle { r: 2.0, filled: false }"));
}

#[tokio::test]
async fn null_where_something_has_to_be_given_is_still_a_fault() {
    let text = answer(json!({ "text": null, "all": [{ "x": null }], "pair": [1, "b"] })).await;
    assert!(text.contains("`text`") && text.contains("`all[0].x`"), "{text}");
}

#[test]
fn what_a_strict_provider_is_shown_admits_what_it_sends() {
    for profile in [Profile::OpenAiStrict, Profile::AnthropicStrict, Profile::DeepSeekStrict] {
        let rendered = Search.spec().render(profile).unwrap();
        let schema = rendered["function"].get("parameters").or(rendered.get("input_schema")).unwrap();
        let validator = jsonschema::validator_for(schema).unwrap();
        let near = json!({ "x": 1, "y": null, "label": null, "radius": null });
        let sent = json!({
            "text": "t", "limit": null, "order": null, "tags": null, "near": near, "all": [near], "shape": null, "pair": [1, "b"]
        });
        assert!(validator.is_valid(&sent), "{profile}: {schema}");
    }
}
