//! Tools made of functions: what they say of themselves and how calls reach the function.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentscope_tool::prelude::*;
use serde_json::{Value, json};

#[tool_args]
#[derive(Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Get the current weather for a city.
///
/// Works for *every* city,
/// also small ones.
///
/// # Errors
///
/// Never.
///
/// # Notes
///
/// - Rain is not included.
#[tool(read_only, title = "Weather", open_world)]
async fn get_weather(
    /// The city name to look up.
    ///
    /// In its own language.
    #[arg(length(min = 1, max = 20), pattern = "^[A-Z]", example = "Oslo")]
    city: String,
    /** Temperature unit. */
    #[arg(default = Unit::Celsius)]
    unit: Unit,
    /// How many days ahead.
    #[arg(rename = "days-ahead", range(min = 0, max = 14))]
    days: Option<u8>,
) -> String {
    let unit = match unit {
        Unit::Celsius => "C",
        Unit::Fahrenheit => "F",
    };
    format!("{city} {unit} {days:?}")
}

#[test]
fn the_doc_comments_are_what_the_model_reads() {
    let spec = GetWeather.spec();
    assert_eq!(spec.name(), "get_weather");
    assert_eq!(
        spec.description(),
        "Get the current weather for a city.\n\nWorks for *every* city,\nalso small ones.\n\n# Notes\n\n- Rain is not included."
    );
    let properties = &spec.input_schema()["properties"];
    assert_eq!(properties["city"]["description"], "The city name to look up.\n\nIn its own language.");
    assert_eq!(properties["days-ahead"]["description"], "How many days ahead.");
}

#[test]
fn constraints_are_in_the_schema() {
    let schema = GetWeather.spec().input_schema();
    let city = &schema["properties"]["city"];
    assert_eq!((&city["minLength"], &city["maxLength"]), (&json!(1), &json!(20)));
    assert_eq!((&city["pattern"], &city["examples"]), (&json!("^[A-Z]"), &json!(["Oslo"])));
    let days = &schema["properties"]["days-ahead"];
    assert_eq!((&days["minimum"], &days["maximum"]), (&json!(0), &json!(14)));
    assert_eq!(schema["properties"]["unit"]["default"], "celsius");
    assert_eq!(schema["required"], json!(["city"]));
}

#[test]
fn flags_are_in_the_spec() {
    let spec = GetWeather.spec();
    assert!(spec.is_read_only() && spec.is_concurrency_safe() && !spec.is_external_tool() && !spec.is_state_injected());
    assert_eq!(spec.annotations().title.as_deref(), Some("Weather"));
    assert_eq!(spec.annotations().open_world, Some(true));
}

#[tokio::test]
async fn a_call_reaches_the_function_with_its_arguments() {
    let response = testing::call(GetWeather, json!({ "city": "Oslo", "unit": "fahrenheit", "days-ahead": 3 })).await;
    assert_eq!(response.text(), "Oslo F Some(3)");
}

#[tokio::test]
async fn what_is_left_out_has_its_default() {
    let response = testing::call(GetWeather, json!({ "city": "Oslo" })).await;
    assert_eq!(response.text(), "Oslo C None");
}

#[tokio::test]
async fn constraints_are_enforced() {
    for arguments in [
        json!({ "city": "" }),
        json!({ "city": "oslo" }),
        json!({ "city": "Oslo", "days-ahead": 15 }),
        json!({ "city": "Oslo", "unit": "kelvin" }),
        json!({ "city": "Oslo", "days": 1 }),
        json!({}),
    ] {
        let response = testing::call(GetWeather, arguments.clone()).await;
        assert_eq!(response.state, ToolResultState::Error, "{arguments}: {}", response.text());
    }
}

#[tokio::test]
async fn the_function_stays_a_function() {
    assert_eq!(get_weather("Rome".to_owned(), Unit::Celsius, Some(1)).await, "Rome C Some(1)");
}

/// Describe by a list.
///
/// # Arguments
///
/// * `text` - The text,
///   which goes on.
/// * count: How often.
/// * `kept` - Replaced by the parameter's own.
#[tool]
fn listed(
    text: String,
    #[arg(default)] count: u32,
    /// Its own.
    kept: Vec<String>,
    #[arg(description = concat!("As an ", "expression."), default = "x")] other: String,
) -> String {
    format!("{text}{count}{kept:?}{other}")
}

#[test]
fn a_list_of_arguments_describes_them() {
    let spec = Listed.spec();
    assert_eq!(spec.description(), "Describe by a list.");
    let described = |name: &str| spec.input_schema()["properties"][name]["description"].clone();
    assert_eq!(described("text"), "The text, which goes on.");
    assert_eq!(described("count"), "How often.");
    assert_eq!(described("kept"), "Its own.");
    assert_eq!(described("other"), "As an expression.");
    assert_eq!(spec.input_schema()["properties"]["count"]["default"], 0);
}

#[doc = include_str!("../ui/pass/described.md")]
///
/// More of it.
#[tool]
fn included() {}

#[test]
fn an_included_file_describes_the_tool() {
    assert_eq!(Included.spec().description(), "From a file.\n\n\nMore of it.");
}

/// Skip.
#[tool]
fn skips(
    #[arg(skip)] nothing: Option<String>,
    #[arg(skip, default = 7)] seven: u8,
    /** A. */
    a: u8,
) -> String {
    format!("{nothing:?}{seven}{a}")
}

#[tokio::test]
async fn a_skipped_parameter_is_not_in_the_schema_and_has_its_default() {
    let properties = Skips.spec().input_schema()["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["a"]);
    assert_eq!(testing::call(Skips, json!({ "a": 1 })).await.text(), "None71");
    assert!(!testing::call(Skips, json!({ "a": 1, "seven": 8 })).await.is_success());
}

/// Literals.
#[tool(undocumented)]
fn literals(
    #[arg(default = "en")] text: String,
    #[arg(default = 2)] share: f64,
    #[arg(default = 3)] maybe: Option<u8>,
    #[arg(default = -5_000_000_000)] large: i64,
    #[arg(default = vec!["a".to_owned()])] list: Vec<String>,
) -> String {
    format!("{text} {share:?} {maybe:?} {large} {list:?}")
}

#[tokio::test]
async fn literal_defaults_take_the_type_of_their_parameter() {
    assert_eq!(testing::call(Literals, json!({})).await.text(), r#"en 2.0 Some(3) -5000000000 ["a"]"#);
    let properties = &Literals.spec().input_schema()["properties"];
    let defaults: Vec<&Value> =
        ["text", "share", "maybe", "large", "list"].iter().map(|name| &properties[name]["default"]).collect();
    assert_eq!(defaults, [&json!("en"), &json!(2.0), &json!(3), &json!(-5_000_000_000_i64), &json!(["a"])]);
}

struct Counter(AtomicUsize);

trait Clock: Send + Sync {
    fn now(&self) -> usize;
}

struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> usize {
        42
    }
}

/// Count.
#[tool]
async fn count(
    #[state] borrowed: &Counter,
    #[state] shared: Arc<Counter>,
    #[state] wrapped: State<Counter>,
    #[state] agent: &AgentState,
    #[state] owned_agent: AgentState,
    #[context] cx: &ToolContext,
    #[context] owned: ToolContext,
) -> String {
    borrowed.0.fetch_add(1, Ordering::Relaxed);
    shared.0.fetch_add(1, Ordering::Relaxed);
    wrapped.0.0.fetch_add(1, Ordering::Relaxed);
    assert!(agent.is_same(&owned_agent));
    assert_eq!(cx.call_id(), owned.call_id());
    format!("{} {}", borrowed.0.load(Ordering::Relaxed), cx.call_id())
}

#[tokio::test]
async fn state_and_context_are_injected_and_not_shown() {
    let spec = Count.spec();
    assert_eq!(spec.input_schema()["properties"], json!({}));
    assert!(spec.is_state_injected());
    assert_eq!(spec.states().len(), 1);
    let response = testing::call(Count, json!({})).state(Counter(AtomicUsize::new(0))).await;
    assert_eq!(response.text(), "3 test_call");
}

/// The time.
#[tool]
fn time(#[state] clock: &dyn Clock, #[state] shared: Arc<dyn Clock>) -> String {
    (clock.now() + shared.now()).to_string()
}

#[tokio::test]
async fn a_trait_object_is_a_state() {
    let response = testing::call(Time, json!({})).state::<Arc<dyn Clock>>(Arc::new(Fixed)).await;
    assert_eq!(response.text(), "84");
}

#[test]
fn a_toolkit_without_a_state_is_not_built() {
    let error = Toolkit::builder().tool(Count).build().unwrap_err().to_string();
    assert!(error.contains("count") && error.contains("Counter"), "{error}");
}

/// Borrow from the state.
#[tool]
#[expect(clippy::ptr_arg, reason = "a state is found by its type")]
async fn borrow(#[state] name: &String) -> std::borrow::Cow<'static, str> {
    name.clone().into()
}

/// Block.
#[tool(blocking)]
fn block(
    /** A. */
    a: String,
    #[state] name: &String,
) -> Result<String, std::io::Error> {
    std::thread::sleep(std::time::Duration::from_millis(1));
    Ok(format!("{a}{name}"))
}

#[tokio::test]
async fn blocking_functions_run() {
    assert_eq!(testing::call(Block, json!({ "a": "x" })).state("y".to_owned()).await.text(), "xy");
    assert_eq!(testing::call(Borrow, json!({})).state("y".to_owned()).await.text(), "y");
}

/// Stream.
#[tool(read_only)]
fn follow(
    /** How many. */
    count: u8,
    #[state] name: State<String>,
) -> impl Stream<Item = String> + Send {
    futures_util::stream::iter((0..count).map(move |n| format!("{}{n}", *name)))
}

/// Stream later, or not.
#[tool(read_only)]
async fn follow_or_fail(
    /** Whether. */
    fail: bool,
) -> Result<impl Stream<Item = Result<String, std::fmt::Error>>, String> {
    if fail { Err("no".to_owned()) } else { Ok(futures_util::stream::iter([Ok("a".to_owned()), Err(std::fmt::Error)])) }
}

#[tokio::test]
async fn streams_come_piece_by_piece() {
    let chunks: Vec<String> = testing::call(Follow, json!({ "count": 3 }))
        .state("n".to_owned())
        .stream()
        .map(|chunk| chunk.joined_text())
        .collect()
        .await;
    assert_eq!(chunks.concat(), "n0n1n2");
    assert!(chunks.len() >= 3, "{chunks:?}");
}

#[tokio::test]
async fn a_stream_may_fail_at_once_or_later() {
    let failed = testing::call(FollowOrFail, json!({ "fail": true })).await;
    assert_eq!((failed.state, failed.text().contains("no")), (ToolResultState::Error, true));
    let late = testing::call(FollowOrFail, json!({ "fail": false })).await;
    assert_eq!((late.state, late.text().starts_with('a')), (ToolResultState::Error, true));
}

/// Somebody's approval.
#[tool(external, destructive)]
async fn approve(
    /** The action. */
    action: String,
    /** Why. */
    reason: Option<String>,
) -> Json<bool>;

#[tokio::test]
async fn an_external_tool_is_described_and_not_executed() {
    let spec = Approve.spec();
    assert!(spec.is_external_tool());
    assert_eq!(spec.output_schema(), Some(&json!({ "type": "boolean" })));
    assert_eq!(spec.input_schema()["required"], json!(["action"]));
    assert!(!testing::call(Approve, json!({ "action": "x" })).await.is_success());
}

/// Typed output.
#[tool]
async fn typed() -> Result<Json<Vec<u8>>, String> {
    Ok(Json(vec![1]))
}

#[test]
fn only_json_has_an_output_schema() {
    assert_eq!(Typed.spec().output_schema().unwrap()["type"], "array");
    assert_eq!(GetWeather.spec().output_schema(), None);
    assert_eq!(Count.spec().output_schema(), None);
}

#[test]
fn a_spec_is_made_once() {
    assert!(std::ptr::eq(GetWeather.spec(), GetWeather.spec()));
}
