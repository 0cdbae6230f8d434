//! Every form of function, parameter and return type.
#![deny(missing_docs, unused)]

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use agentscope_tool::prelude::*;

/// A unit.
#[tool_args]
#[derive(Debug, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Metric.
    Celsius,
    /// Imperial.
    Fahrenheit,
}

/// A clock.
pub trait Clock: Send + Sync {
    /// The time.
    fn now(&self) -> u64;
}

/// A database.
pub struct Database(String);

/// Every kind of state.
#[tool]
pub async fn states<'a>(
    #[state] borrowed: &'a Database,
    #[state] shared: Arc<Database>,
    #[state] shared_borrowed: &Arc<Database>,
    #[state] wrapped: State<Database>,
    #[state] wrapped_borrowed: &State<Database>,
    #[state] clock: &dyn Clock,
    #[state] clock_shared: Arc<dyn Clock>,
    #[state] clock_grouped: &(dyn Clock + 'static),
    #[state] agent: &AgentState,
    #[state] agent_owned: AgentState,
    #[context] cx: &ToolContext,
    #[context] cx_owned: ToolContext,
) -> Cow<'static, str> {
    let _ = (borrowed, shared, shared_borrowed, wrapped, wrapped_borrowed, agent, agent_owned, cx, cx_owned);
    Cow::Owned((clock.now() + clock_shared.now() + clock_grouped.now()).to_string())
}

/// Every key.
#[tool(
    name = "every_key",
    description = concat!("Every ", "key."),
    title = String::from("Every key"),
    read_only = true,
    concurrency_safe = false,
    external = false,
    destructive = false,
    idempotent,
    open_world = false,
    blocking = false,
    undocumented = false,
    struct = EveryKey,
    crate = ::agentscope_tool
)]
pub fn keys(
    #[arg(description = "A name.", rename = "the-name", length(min = 1, max = 10), pattern = "^[a-z]+$", example = "ada", default = "ada")]
    name: String,
    /// An address.
    #[arg(format = "email", default = Some("a@b.c"), example = "x@y.z", example = "z@y.x")]
    address: Option<String>,
    /// A number.
    #[arg(range(min = -5_000_000_000, max = 5_000_000_000), default = 3, example = 4_000_000_000)]
    number: i64,
    /// A share.
    #[arg(range(min = 0, max = 1.5), default = 1)]
    share: f32,
    /// A list.
    #[arg(length(max = 3), default = vec!["a".to_owned()])]
    list: Vec<String>,
    /// A unit.
    #[arg(default = Unit::Celsius, example = "celsius", example = Unit::Fahrenheit)]
    unit: Unit,
    /// A count.
    #[arg(default)]
    count: u32,
    /// A limit.
    #[arg(default = None)]
    limit: Option<u8>,
    #[arg(skip)] hidden: HashMap<String, String>,
    #[arg(skip, default = 7)] seven: u8,
) -> String {
    format!("{name}{address:?}{number}{share}{list:?}{unit:?}{count}{limit:?}{hidden:?}{seven}")
}

/// Nothing.
#[tool]
pub fn nothing() {}

/// A result without a value.
///
/// # Errors
///
/// Never.
#[tool]
pub async fn unit_result() -> Result<(), std::io::Error> {
    Ok(())
}

/// Something generic.
///
/// # Errors
///
/// Never.
#[tool]
pub async fn generic_output() -> Result<Json<HashMap<String, Vec<Option<u8>>>>, Box<dyn std::error::Error + Send + Sync>> {
    Ok(Json(HashMap::new()))
}

/// Something opaque.
#[tool]
pub async fn opaque() -> impl IntoToolOutput {
    "opaque"
}

/// Blocking work.
#[tool(blocking)]
pub fn block(#[state] database: &Database) -> String {
    database.0.clone()
}

/// A stream.
#[tool]
pub fn stream(/** The lines. */ lines: Vec<String>, #[state] database: State<Database>) -> impl Stream<Item = String> + Send + 'static {
    let name = database.0.0.clone();
    futures_util::stream::iter(lines).map(move |line| format!("{name}{line}"))
}

/// A stream that is there later.
#[tool]
pub async fn stream_later(#[context] cx: ToolContext) -> impl Stream<Item = Result<String, std::io::Error>> {
    let _ = cx.is_cancelled();
    futures_util::stream::iter([Ok("later".to_owned())])
}

/// A stream or an error.
///
/// # Errors
///
/// Never.
#[tool]
pub async fn stream_or_error() -> Result<impl Stream<Item = String>, std::io::Error> {
    Ok(futures_util::stream::empty())
}

/// A stream that borrows nothing.
#[tool]
pub fn stream_of_nothing(#[state] database: &Database) -> impl Stream<Item = String> + use<> {
    futures_util::stream::iter([database.0.clone()])
}

/// A boxed stream.
#[tool]
pub fn stream_boxed(#[context] cx: &ToolContext) -> ToolStream {
    let id = cx.call_id().to_owned();
    ToolStream::once(async move { id })
}

/// Somebody's approval.
#[tool(external)]
pub async fn approve(/** The action. */ action: String, /** Why. */ reason: Option<String>) -> Json<bool>;

/// Somebody's attention.
#[tool(external)]
pub fn notify();

#[doc = include_str!("described.md")]
///
/// # Arguments
///
/// * `a` - The first.
/// - b: The second.
#[tool]
pub fn described(a: u8, b: u8) -> u8 {
    a + b
}

/// A `where` clause.
#[tool]
pub fn bounded() -> String
where
    String: Clone,
{
    String::new()
}

fn main() {
    let toolkit = Toolkit::builder()
        .state(Database("db".to_owned()))
        .tool(EveryKey)
        .tool(Nothing)
        .tool(UnitResult)
        .tool(GenericOutput)
        .tool(Opaque)
        .tool(Block)
        .tool(StreamTool)
        .tool(StreamLater)
        .tool(StreamOrError)
        .tool(StreamOfNothing)
        .tool(StreamBoxed)
        .tool(Approve)
        .tool(Notify)
        .tool(Described)
        .tool(Bounded)
        .build();
    assert!(toolkit.is_ok(), "{:?}", toolkit.err());
    assert_eq!(States.spec().states().len(), 2);
    assert!(States.spec().is_state_injected());
    nothing();
    assert_eq!(described(1, 2), 3);
}
