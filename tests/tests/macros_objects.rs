//! Tools made of structs and of `impl` blocks, and types of arguments.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use agentscope_tool::prelude::*;
use serde_json::json;

#[tool_args]
#[derive(Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
struct SearchArgs {
    /// What to search for.
    #[schemars(length(min = 1))]
    search_text: String,
    /// How many results.
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    max_results: u32,
    /// Where to search.
    #[serde(default)]
    place: Place,
    #[serde(skip)]
    hidden: u8,
}

fn ten() -> u32 {
    10
}

#[tool_args]
#[derive(Debug, Clone, PartialEq, Default)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Place {
    #[default]
    Anywhere,
    Near {
        /// The distance.
        distance: Meters,
    },
}

/// A length in metres.
#[tool_args]
#[derive(Debug, Clone, Copy, PartialEq)]
struct Meters(f64);

/// Search the web.
///
/// # Examples
///
/// None.
#[derive(Tool)]
#[spec(name = "search", read_only, open_world, concurrency_safe = false, state_injected)]
struct Search {
    prefix: String,
}

impl ToolBody for Search {
    type Args = SearchArgs;
    type Output = Result<Json<Vec<String>>, std::io::Error>;

    async fn check_read_only(&self, args: &SearchArgs) -> bool {
        args.max_results < 50
    }

    async fn call(&self, args: SearchArgs, cx: ToolContext) -> Self::Output {
        let _ = cx.is_cancelled();
        Ok(Json(vec![format!(
            "{}{} {} {:?} {}",
            self.prefix, args.search_text, args.max_results, args.place, args.hidden
        )]))
    }

    fn describe(&self) -> Option<std::borrow::Cow<'static, str>> {
        Some(format!("Search with {}.", self.prefix).into())
    }
}

fn search() -> Search {
    Search { prefix: ">".to_owned() }
}

#[tokio::test]
async fn a_derived_tool_decodes_its_arguments() {
    let response =
        testing::call(search(), json!({ "searchText": "x", "place": { "kind": "near", "distance": 1.5 } })).await;
    assert_eq!(response.text(), r#"[">x 10 Near { distance: Meters(1.5) } 0"]"#);
    assert!(!testing::call(search(), json!({ "searchText": "" })).await.is_success());
}

#[tokio::test]
async fn a_derived_tool_has_its_hooks_and_flags() {
    let tool = search();
    let spec = tool.spec();
    assert_eq!((spec.name(), spec.description()), ("search", "Search the web."));
    assert!(spec.is_read_only() && !spec.is_concurrency_safe() && spec.is_state_injected());
    assert_eq!(Tool::describe(&tool).as_deref(), Some("Search with >."));
    assert_eq!(spec.output_schema().unwrap()["type"], "array");
    assert_eq!(spec.input_schema()["required"], json!(["searchText"]));
    assert_eq!(spec.input_schema()["properties"]["maxResults"]["default"], 10);
}

/// Keep things.
#[derive(Tool)]
struct Keep<T: Clone> {
    inner: T,
}

impl<T: Clone + Display + Send + Sync + 'static> ToolBody for Keep<T> {
    type Args = Things<u8>;
    type Output = String;

    async fn call(&self, args: Things<u8>, _: ToolContext) -> String {
        format!("{}{:?}", self.inner, args.things)
    }
}

#[tool_args]
struct Things<T> {
    /// The things.
    things: HashMap<String, T>,
}

#[tokio::test]
async fn a_derived_tool_may_be_generic() {
    let arguments = json!({ "things": { "a": 1 } });
    assert_eq!(testing::call(Keep { inner: 1 }, arguments.clone()).await.text(), r#"1{"a": 1}"#);
    assert_eq!(testing::call(Keep { inner: "x" }, arguments).await.text(), r#"x{"a": 1}"#);
    assert_eq!(Keep { inner: 'c' }.spec().name(), "Keep");
}

/// Ask somebody.
#[derive(Tool)]
#[spec(external)]
struct Ask;

impl ExternalBody for Ask {
    type Args = Things<String>;
    type Output = bool;
}

#[tokio::test]
async fn a_derived_external_tool_says_what_comes_back() {
    assert!(Ask.spec().is_external_tool());
    assert_eq!(Ask.spec().output_schema(), Some(&json!({ "type": "boolean" })));
    assert!(!testing::call(Ask, json!({ "things": {} })).await.is_success());
}

struct Calendar<T>(Vec<T>);

#[toolset]
impl<T> Calendar<T>
where
    T: Display + Send + Sync + 'static,
{
    const DAY: &'static str = "monday";

    /// List the events of a day.
    #[tool(read_only, title = "List")]
    async fn list_events(
        &self,
        /// The day.
        #[arg(default = Self::DAY.to_owned())]
        day: String,
    ) -> Result<String, std::io::Error> {
        Ok(format!("{day}: {}", self.join(", ")))
    }

    /// Count the events.
    #[tool(name = "count", blocking)]
    fn count_events(&self, #[state] factor: &usize) -> String {
        (self.0.len() * factor).to_string()
    }

    /// Follow the events.
    #[tool]
    fn follow(self: Arc<Self>, #[context] cx: ToolContext) -> impl Stream<Item = String> + Send {
        let events: Vec<String> = self.0.iter().map(|event| format!("{event}{}", cx.call_id())).collect();
        futures_util::stream::iter(events)
    }

    fn join(&self, by: &str) -> String {
        self.0.iter().map(ToString::to_string).collect::<Vec<_>>().join(by)
    }
}

#[tokio::test]
async fn a_toolset_makes_a_tool_of_every_marked_method() {
    let tools = Arc::new(Calendar(vec!["lunch", "tea"])).tools();
    let names: Vec<&str> = tools.iter().map(|tool| tool.spec().name()).collect();
    assert_eq!(names, ["list_events", "count", "follow"]);
    assert_eq!(tools[0].spec().input_schema()["properties"]["day"]["default"], "monday");
    assert!(tools[0].spec().is_read_only() && !tools[1].spec().is_read_only());
    let call = |index: usize, arguments| testing::call(Arc::clone(&tools[index]), arguments).state(2_usize);
    assert_eq!(call(0, json!({})).await.text(), "monday: lunch, tea");
    assert_eq!(call(0, json!({ "day": "friday" })).await.text(), "friday: lunch, tea");
    assert_eq!(call(1, json!({})).await.text(), "4");
    assert_eq!(call(2, json!({})).await.text(), "lunchtest_callteatest_call");
}

#[tokio::test]
async fn two_objects_of_one_generic_toolset_do_not_mix() {
    let numbers = Arc::new(Calendar(vec![1])).tools();
    let words = Arc::new(Calendar(vec!["one"])).tools();
    assert_eq!(testing::call(Arc::clone(&numbers[0]), json!({})).await.text(), "monday: 1");
    assert_eq!(testing::call(Arc::clone(&words[0]), json!({})).await.text(), "monday: one");
}

#[tokio::test]
async fn methods_of_a_toolset_stay_methods() {
    let calendar = Calendar(vec![1]);
    assert_eq!(calendar.list_events("x".to_owned()).await.unwrap(), "x: 1");
    assert_eq!(calendar.count_events(&3), "3");
}

mod as_text {
    use agentscope_tool::serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    pub(super) fn serialize<S: Serializer>(number: &u8, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[tool_args(undocumented)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    One(u8),
}

#[tool_args(undocumented)]
#[serde(untagged)]
enum Either {
    Number(u8),
    Text(String),
}

#[tool_args(undocumented)]
struct Inner {
    inner: u8,
}

#[tool_args(undocumented)]
struct Attributes {
    #[serde(rename = "type")]
    kind: Adjacent,
    either: Vec<Either>,
    #[serde(flatten)]
    flat: Inner,
    #[serde(with = "as_text")]
    #[schemars(with = "String")]
    text: u8,
    #[serde(skip)]
    hidden: u8,
    #[serde(default, alias = "other")]
    own: u8,
}

/// Look at serde's attributes.
#[derive(Tool)]
struct Look;

impl ToolBody for Look {
    type Args = Attributes;
    type Output = String;

    async fn call(&self, args: Attributes, _: ToolContext) -> String {
        let Adjacent::One(one) = args.kind;
        let either: Vec<String> = args
            .either
            .into_iter()
            .map(|either| match either {
                Either::Number(number) => format!("#{number}"),
                Either::Text(text) => text,
            })
            .collect();
        format!("{one} {either:?} {} {} {} {}", args.flat.inner, args.text, args.hidden, args.own)
    }
}

#[tokio::test]
async fn serdes_attributes_are_honoured_in_decoding_and_in_the_schema_alike() {
    let given = json!({ "type": { "t": "One", "c": 1 }, "either": [2, "b"], "inner": 3, "text": "4" });
    assert_eq!(testing::call(Look, given.clone()).await.text(), r##"1 ["#2", "b"] 3 4 0 0"##);

    // An alias is no name that the model may send.
    for unknown in ["other", "hidden"] {
        let mut given = given.clone();
        given[unknown] = json!(1);
        assert_eq!(testing::call(Look, given).await.state, ToolResultState::Error, "{unknown}");
    }
}

struct Orders<T> {
    open: Vec<T>,
}

#[toolset]
impl<T: Display + Send + Sync + 'static> Orders<T> {
    /// Cancel an order.
    #[tool(permission = Self::may_cancel)]
    async fn cancel(
        &self,
        /** Which. */
        order: String,
    ) -> String {
        order
    }

    /// Close an order.
    #[tool(permission = Self::may_close)]
    fn close(
        &self,
        /** Which. */
        order: String,
    ) -> String {
        order
    }

    /// Follow the orders.
    #[tool(permission = Self::may_close)]
    fn follow(
        self: Arc<Self>,
        /** Which. */
        order: String,
    ) -> impl Stream<Item = String> + Send {
        futures_util::stream::iter([order])
    }

    /// Count the orders.
    #[tool]
    fn count(
        &self,
        /** Which. */
        order: String,
    ) -> usize {
        self.open.len() + order.len()
    }

    async fn may_cancel(&self, input: &ToolInput, cx: &PermissionContext) -> PermissionDecision {
        tokio::task::yield_now().await;
        if cx.mode() == PermissionMode::DontAsk {
            PermissionDecision::deny("nobody")
        } else {
            self.may_close(input, cx)
        }
    }

    fn may_close(&self, input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        let Ok(order) = input.str("order") else { return PermissionDecision::passthrough() };
        if self.open.iter().any(|open| open.to_string() == order) {
            PermissionDecision::allow("it is open")
        } else {
            PermissionDecision::deny("it is not open")
        }
    }
}

#[allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]
async fn decided(object: Arc<Orders<u8>>, tool: &str, order: &str, mode: PermissionMode) -> PermissionBehavior {
    let toolkit = Toolkit::builder().toolset(object).build().unwrap();
    let call = ToolCall::new("1", tool, json!({ "order": order }).to_string());
    toolkit.check(&call, &AgentState::new().with_permissions(mode)).await.behavior
}

#[tokio::test]
async fn a_method_of_the_object_decides_about_the_calls_of_another() {
    let (one, two) = (Arc::new(Orders { open: vec![1] }), Arc::new(Orders { open: vec![2] }));
    for tool in ["cancel", "close", "follow"] {
        let decided =
            async |object: &Arc<_>, order| decided(Arc::clone(object), tool, order, PermissionMode::Default).await;
        assert_eq!(decided(&one, "1").await, PermissionBehavior::Allow, "{tool}");
        assert_eq!(decided(&one, "2").await, PermissionBehavior::Deny, "{tool}");
        assert_eq!(decided(&two, "2").await, PermissionBehavior::Allow, "{tool}");
    }
    assert_eq!(decided(one, "cancel", "1", PermissionMode::DontAsk).await, PermissionBehavior::Deny);
}

#[tokio::test]
async fn a_method_without_a_permission_function_asks() {
    let orders = Arc::new(Orders { open: vec![1] });
    assert_eq!(decided(orders, "count", "1", PermissionMode::Default).await, PermissionBehavior::Ask);
}
