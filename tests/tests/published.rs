//! The schemas that tools publish: each has a snapshot, is valid by the meta-schema, and judges values as the
//! `jsonschema` crate does.

#![allow(clippy::unwrap_used, reason = "a helper that fails is a test that fails")]

use std::collections::{BTreeMap, HashSet};
use std::net::Ipv4Addr;
use std::path::PathBuf;

use agentscope_tool::IntoTool;
use agentscope_tool::prelude::*;
use serde_json::{Value, json};

/// Checks a tool's schema: by snapshot, by the meta-schema, and with values of both kinds.
fn check<M>(tool: impl IntoTool<M>, accepted: &[Value], refused: &[Value]) {
    let tool = tool.into_tool();
    let spec = tool.spec();
    assert_eq!(spec.faults(), []);
    insta::assert_json_snapshot!(
        spec.name(),
        json!({ "description": spec.description(), "input_schema": spec.input_schema() })
    );
    jsonschema::meta::validate(spec.input_schema()).unwrap();
    let reference = jsonschema::options().should_validate_formats(true).build(spec.input_schema()).unwrap();
    for value in accepted {
        assert!(reference.is_valid(value), "jsonschema refuses {value}");
        assert_eq!(spec.validator().validate(value), Ok(()), "{value}");
        ToolInput::from_value(value.clone(), spec).unwrap();
    }
    for value in refused {
        assert!(!reference.is_valid(value), "jsonschema accepts {value}");
        assert!(!spec.validator().is_valid(value), "{value}");
    }
}

#[tool_args]
#[serde(rename_all = "snake_case")]
enum Order {
    /// The newest first.
    Newest,
    /// By name.
    ByName,
    Unsorted,
}

#[tool_args]
struct Filter {
    /// The label.
    #[schemars(length(min = 1, max = 20))]
    label: String,
    /// How to compare.
    #[serde(default)]
    exact: bool,
}

/// Search the notes.
///
/// Finds notes by text and by label.
///
/// # Errors
///
/// When the index is broken.
#[tool(read_only)]
async fn search_notes(
    /// The text to look for.
    #[arg(length(min = 1), example = "rust")]
    query: String,
    /// Only notes with all of these.
    filters: Option<Vec<Filter>>,
    /// How to sort.
    #[arg(default = Order::Newest)]
    order: Order,
    /// How many at most.
    #[arg(default = 10, range(min = 1, max = 50))]
    limit: u8,
    /// Weights by field.
    weights: Option<BTreeMap<String, f64>>,
) -> String {
    let filters: Vec<_> = filters.into_iter().flatten().map(|f| format!("{}{}", f.label, f.exact)).collect();
    let order = match order {
        Order::Newest => "newest",
        Order::ByName => "by name",
        Order::Unsorted => "unsorted",
    };
    format!("{query} {filters:?} {order} {limit} {weights:?}")
}

#[test]
fn a_function_with_nested_arguments_and_constraints() {
    check(
        SearchNotes,
        &[
            json!({ "query": "a" }),
            json!({ "query": "a", "filters": [{ "label": "x", "exact": true }], "order": "by_name", "limit": 50 }),
            json!({ "query": "é", "weights": { "title": 2.5, "body": 1 } }),
        ],
        &[
            json!({}),
            json!({ "query": "" }),
            json!({ "query": "a", "filters": [{ "exact": true }] }),
            json!({ "query": "a", "filters": [{ "label": "" }] }),
            json!({ "query": "a", "order": "ByName" }),
            json!({ "query": "a", "limit": 0 }),
            json!({ "query": "a", "limit": 2.5 }),
            json!({ "query": "a", "weights": { "title": "2" } }),
        ],
    );
}

/// Book a visit.
#[tool]
async fn book_visit(
    /// The day.
    #[arg(format = "date")]
    day: String,
    /// Who comes.
    #[arg(length(min = 1, max = 3))]
    visitors: Vec<String>,
    /// Where mail goes.
    #[arg(format = "email")]
    mail: Option<String>,
    /// The door code.
    #[arg(pattern = "^[0-9]{4}$")]
    code: String,
    /// The host.
    address: Ipv4Addr,
    /// The badge's file.
    badge: Option<PathBuf>,
    /// The rooms.
    rooms: HashSet<u16>,
) -> String {
    format!("{day} {visitors:?} {mail:?} {code} {address} {badge:?} {rooms:?}")
}

#[test]
fn a_function_with_formats_patterns_and_collections() {
    let with = |key: &str, value: Value| {
        let mut call =
            json!({ "day": "2026-11-30", "visitors": ["Ada"], "code": "0042", "address": "10.0.0.1", "rooms": [1] });
        call[key] = value;
        call
    };
    check(
        BookVisit,
        &[with("mail", json!("ada@example.com")), with("rooms", json!([])), with("badge", json!("/a b"))],
        &[
            with("day", json!("2026-02-30")),
            with("visitors", json!([])),
            with("visitors", json!(["a", "b", "c", "d"])),
            with("mail", json!("nobody")),
            with("code", json!("042")),
            with("address", json!("10.0.0.256")),
            with("rooms", json!([1, 1])),
            with("rooms", json!([70000])),
        ],
    );
}

/// A shape.
#[tool_args]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    /// A circle.
    Circle {
        /// Its radius.
        radius: f64,
    },
    /// A rectangle.
    Rect {
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
    },
}

/// A tree of shapes.
#[tool_args]
struct Node {
    /// The shape.
    shape: Shape,
    /// What lies inside.
    #[serde(default)]
    children: Vec<Node>,
}

/// Draw a tree of shapes.
#[derive(Tool)]
#[spec(name = "draw", idempotent)]
struct Draw;

#[tool_args]
struct DrawArgs {
    /// The outermost shape.
    root: Node,
    /// The pen.
    pen: Option<Pen>,
}

#[tool_args]
struct Pen {
    /// Its width in points.
    #[serde(default = "one")]
    width: u32,
}

fn one() -> u32 {
    1
}

impl ToolBody for Draw {
    type Args = DrawArgs;
    type Output = String;

    async fn call(&self, args: DrawArgs, _: ToolContext) -> String {
        fn area(node: &Node) -> f64 {
            let own = match node.shape {
                Shape::Circle { radius } => radius * radius * 3.0,
                Shape::Rect { width, height } => width * height,
            };
            own + node.children.iter().map(area).sum::<f64>()
        }
        format!("{} {}", area(&args.root), args.pen.map_or(0, |pen| pen.width))
    }
}

#[test]
fn a_derived_tool_with_a_tagged_enum_and_recursion() {
    let circle = json!({ "kind": "circle", "radius": 1 });
    check(
        Draw,
        &[
            json!({ "root": { "shape": circle } }),
            json!({ "root": { "shape": circle, "children": [{ "shape": { "kind": "rect", "width": 1, "height": 2 } }] } }),
            json!({ "root": { "shape": circle }, "pen": {} }),
        ],
        &[
            json!({ "root": { "shape": { "kind": "circle" } } }),
            json!({ "root": { "shape": { "kind": "oval" } } }),
            json!({ "root": { "shape": circle, "children": [{}] } }),
            json!({ "root": { "shape": circle }, "pen": { "width": -1 } }),
        ],
    );
}

#[tokio::test]
async fn unknown_keys_are_refused_at_every_depth() {
    let circle = json!({ "kind": "circle", "radius": 1 });
    for (value, key) in [
        (json!({ "root": { "shape": circle }, "colour": 1 }), "`colour`"),
        (json!({ "root": { "shape": { "kind": "circle", "radius": 1, "width": 2 } } }), "width"),
        (json!({ "root": { "shape": circle, "children": [{ "shape": circle, "child": [] }] } }), "child"),
        (json!({ "root": { "shape": circle }, "pen": { "wide": 1 } }), "wide"),
    ] {
        let response = testing::call(Draw, value.clone()).await;
        assert_eq!(response.state, ToolResultState::Error, "{value}");
        assert!(response.text().contains(key), "{}", response.text());
    }
    let response = testing::call(Draw, json!({ "root": { "shape": circle }, "pen": null })).await;
    assert_eq!(response.text(), "3 0");
}

/// Say that all is well.
#[tool]
async fn ping() -> String {
    String::new()
}

#[test]
fn a_function_without_arguments() {
    check(Ping, &[json!({})], &[json!([]), json!(null)]);
}

mod faults {
    //! What is wrong with a tool that cannot be published, said when it is made.

    use agentscope_tool::{__private::Param, SpecError, ToolSpec};

    use super::*;

    #[tool_args(undocumented)]
    struct Id(#[schemars(regex(pattern = "^id_"))] String);

    fn problem(param: Param) -> String {
        let spec = ToolSpec::builder("t", "A tool.").param(param).build();
        let problems = spec.faults().iter().map(|fault| match fault {
            SpecError::Argument { problem, .. } => problem.clone(),
            other => other.to_string(),
        });
        problems.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn constraints_that_cannot_hold_are_faults() {
        let messages = [
            problem(Param::new::<Id>("a").pattern("x$")),
            problem(Param::new::<String>("a").min_length(5).max_length(3)),
            problem(Param::new::<i64>("a").minimum(5).maximum(1)),
            problem(Param::new::<u8>("a").maximum(300)),
            problem(Param::new::<String>("a").format("datetime")),
            problem(Param::new::<f64>("a").default(f64::NAN)),
            problem(Param::new::<bool>("a").minimum(1)),
            problem(Param::new::<String>("a").min_length(2).default("x")),
            problem(Param::new::<u8>("a").example("x")),
            problem(Param::new::<u8>("_agent_state")),
        ];
        insta::assert_debug_snapshot!(messages);
    }

    #[test]
    fn a_default_in_a_literal_schema_is_only_a_remark() {
        let schema = json!({ "type": "object", "properties": { "a": { "type": "string", "default": null } } });
        assert_eq!(ToolSpec::builder("t", "A tool.").input_schema(schema).build().faults(), []);
    }
}
