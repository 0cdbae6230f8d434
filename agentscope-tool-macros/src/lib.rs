//! The macros of `agentscope-tool`, to be used through that crate, which re-exports them.
//!
//! Each macro goes through the same stages, one module each: `ast` and `param` read the item, `attr` what stands in
//! our attributes, `docs` the doc comments; `valid` and `constraints` judge; `parts` and the `expand_*` modules write
//! the code. Faults are collected on the way, so that all of an item's are reported in one go, and `fallback` writes
//! stand-ins beside them, so that none follows from another.

mod ast;
mod attr;
mod constraints;
mod docs;
mod errors;
mod expand_args;
mod expand_derive;
mod expand_fn;
mod expand_toolset;
mod fallback;
mod hook;
mod krate;
mod literal;
mod names;
mod output;
mod param;
mod parts;
mod pattern;
mod tree;
mod types;
mod valid;

use proc_macro::TokenStream;

/// Makes a tool of a function.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// #[tool_args]
/// #[serde(rename_all = "lowercase")]
/// enum Unit { Celsius, Fahrenheit }
///
/// /// Get the current weather for a city.
/// #[tool(read_only)]
/// async fn get_weather(
///     /// The city name to look up.
///     #[arg(length(min = 1))] city: String,
///     /// Temperature unit.
///     #[arg(default = Unit::Celsius)] unit: Unit,
/// ) -> String {
///     let degrees = match unit { Unit::Celsius => 22, Unit::Fahrenheit => 72 };
///     format!("The weather in {city} is {degrees} degrees")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// // `GetWeather` is the tool, and the function stays a function.
/// let response = testing::call(GetWeather, json!({ "city": "Oslo" })).await;
/// assert_eq!(response.text(), get_weather("Oslo".to_owned(), Unit::Celsius).await);
/// # }
/// ```
///
/// The tool's type is named like the function, in `UpperCamelCase`, and has the function's visibility. Where that
/// name would be the function's own, or would hide a common one such as `String`, `Tool` is appended: `fn string`
/// becomes `StringTool`. The description that the model reads is the doc comment without its sections for human
/// callers (`# Arguments`, `# Errors`, `# Examples`, `# Panics`, `# Returns`, `# Safety`).
///
/// # Functions
///
/// | written | is run |
/// | --- | --- |
/// | `async fn` | as it is |
/// | `fn` | on the task that called it: it should be quick |
/// | `fn` with `blocking` | on the runtime's pool for blocking work |
/// | `fn` or `async fn` that returns `impl Stream<Item = …>`, or a `Result` of that | the results are sent as they come |
/// | `fn` or `async fn` with `external` and `;` for a body | by somebody else; the return type is what comes back |
///
/// A function may return whatever implements `IntoToolOutput`. A `Json<T>`, also inside of a `Result`, gives the tool
/// an output schema.
///
/// # Keys of `#[tool(…)]`
///
/// A flag is written `flag`, `flag = true` or `flag = false`.
///
/// | key | meaning |
/// | --- | --- |
/// | `name = "…"` | the tool's name, instead of the function's |
/// | `description = expr` | the description, instead of the doc comment |
/// | `title = expr` | a name for people |
/// | `read_only` | the tool changes nothing |
/// | `concurrency_safe` | calls may run at the same time as others; `= false` if not |
/// | `external` | the tool is executed elsewhere |
/// | `destructive` | the tool may destroy something |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `open_world` | the tool reaches out to the world, such as the web |
/// | `blocking` | the function blocks its thread |
/// | `permission = path` | the function that judges a call before it runs, see below; without it, somebody is asked |
/// | `undocumented` | the arguments need no description; the tool always does |
/// | `struct = Ident` | the name of the tool's type |
/// | `crate = path` | where `agentscope_tool` is, if not where `Cargo.toml` says |
///
/// # Permission
///
/// The function that `permission` names is `fn` or `async fn`. It takes the call's input and the conversation's
/// permissions, for a method after `&self` (`permission = Self::may_deploy`), and returns a `PermissionDecision`.
/// Arguments that the call leaves out have their defaults already: what it judges is what runs.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// fn may_deploy(input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
///     match input.str("target") {
///         Ok("staging") => PermissionDecision::allow("staging is there to be broken"),
///         _ => PermissionDecision::ask("deploys to production").bypass_immune(),
///     }
/// }
///
/// /// Deploy a build.
/// #[tool(permission = may_deploy)]
/// async fn deploy(
///     /// Where.
///     #[arg(default = "production")] target: String,
/// ) -> String {
///     format!("deployed to {target}")
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), ToolkitError> {
/// let toolkit = Toolkit::builder().tool(Deploy).build()?;
/// let state = AgentState::new();
/// let staging = ToolCall::new("1", "deploy", r#"{"target": "staging"}"#);
/// assert_eq!(toolkit.call(staging, &state).response().await.text(), "deployed to staging");
/// let decision = toolkit.check(&ToolCall::new("2", "deploy", "{}"), &state).await;
/// assert_eq!(decision.behavior, PermissionBehavior::Ask);
/// # Ok(()) }
/// ```
///
/// # Parameters
///
/// A parameter is an argument that the model sends, unless it is marked. It is described by its own doc comment or by
/// its line in the `# Arguments` list of the function's; an `Option` may be left out. Its type stands under
/// [`macro@tool_args`], or derives serde's `Deserialize` and schemars' `JsonSchema`, and is `Send`.
///
/// | marker | types | meaning |
/// | --- | --- | --- |
/// | `#[state]` | `&T`, `Arc<T>`, `State<T>`, `&AgentState`, `AgentState` | what the application gave to the toolkit, or the conversation's own state |
/// | `#[context]` | `&ToolContext`, `ToolContext` | the call's context |
/// | `#[arg(…)]` | | says more about an argument |
///
/// | key of `#[arg(…)]` | meaning |
/// | --- | --- |
/// | `default`, `default = expr` | what the argument is when it is left out: its type's default, or a value |
/// | `rename = "…"` | its name in the schema |
/// | `description = expr` | its description, instead of the doc comment |
/// | `range(min = …, max = …)` | the smallest and the largest number |
/// | `length(min = …, max = …)` | the shortest and the longest string, list or map |
/// | `pattern = "…"` | a regular expression that a string matches somewhere |
/// | `format = "…"` | a string's format: `date`, `date-time`, `time`, `email`, `uri`, `uuid`, `ipv4` or `ipv6` |
/// | `example = expr` | an example; may be repeated |
/// | `skip` | not part of the schema: always the default |
///
/// What these keys say is in the schema, and every call is checked against it.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use std::sync::Arc;
///
/// struct Database { url: String }
///
/// /// Look up a customer.
/// ///
/// /// # Arguments
/// ///
/// /// * `email` - The customer's address.
/// /// * `limit` - How many orders to list.
/// #[tool(read_only, title = "Find a customer", open_world = false)]
/// async fn find_customer(
///     #[arg(format = "email", example = "ada@example.com")] email: String,
///     #[arg(range(min = 1, max = 50), default = 10)] limit: u8,
///     #[state] database: &Database,
///     #[context] cx: &ToolContext,
/// ) -> Result<String, std::io::Error> {
///     let _ = cx.cancelled();
///     Ok(format!("{limit} orders of {email} from {}", database.url))
/// }
///
/// let schema = FindCustomer.spec().input_schema();
/// assert_eq!(schema["properties"]["limit"]["default"], 10);
/// assert_eq!(schema["required"], serde_json::json!(["email"]));
/// ```
///
/// # When it does not compile
///
/// A future that is not `Send` (for example because an `Rc` or a lock's guard is kept across an `.await`) is reported
/// at the function's name: *future cannot be sent between threads safely*. Drop the value before the `.await`.
///
/// A stream outlives the call that made it, so a function that returns one takes its state as `State<T>` or `Arc<T>`,
/// not as `&T`.
#[proc_macro_attribute]
pub fn tool(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand_fn::expand(attr.into(), item.into()).into()
}

/// Makes a tool of every method marked `#[tool]` in an `impl` block, and a `Toolset` of the type.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use std::sync::Arc;
///
/// struct Calendar { events: Vec<String> }
///
/// #[toolset]
/// impl Calendar {
///     /// List the events of a day.
///     #[tool(read_only)]
///     async fn list_events(&self, /** The day, as YYYY-MM-DD. */ #[arg(format = "date")] day: String) -> String {
///         format!("{day}: {}", self.events.join(", "))
///     }
///
///     // Not a tool.
///     fn is_empty(&self) -> bool { self.events.is_empty() }
/// }
///
/// let tools = Arc::new(Calendar { events: vec!["lunch".to_owned()] }).tools();
/// assert_eq!(tools[0].spec().name(), "list_events");
/// ```
///
/// The methods take `&self`; one that returns a stream takes `self: Arc<Self>`, since the stream outlives the call.
/// Parameters and keys are those of [`macro@tool`], without `external`, `struct` and `crate`. The block may be
/// generic, and may have other items; a type can have one such block.
///
/// | key of `#[toolset(…)]` | meaning |
/// | --- | --- |
/// | `crate = path` | where `agentscope_tool` is, if not where `Cargo.toml` says |
#[proc_macro_attribute]
pub fn toolset(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand_toolset::expand(attr.into(), item.into()).into()
}

/// Derives everything that a type of arguments needs, with the crates that `agentscope-tool` re-exports.
///
/// It stands for the four derives `Serialize`, `Deserialize`, `JsonSchema` and `ToolArgs`; those of them that stand on
/// the item below it are left to themselves. The types of the fields need the first three, so put `#[tool_args]` on
/// your own types among them too. (`Serialize` is there to write defaults into the schema and to return the type as
/// `Json`.) Where a field's type has no `Serialize`, write `#[derive(Deserialize, JsonSchema, ToolArgs)]` yourself.
///
/// Fields are described by their doc comments and refined with serde's and schemars' attributes, which stand below
/// `#[tool_args]`.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// #[tool_args]
/// #[derive(Debug, Clone)]
/// #[serde(rename_all = "camelCase")]
/// struct Search {
///     /// What to search for.
///     #[schemars(length(min = 1))]
///     search_text: String,
///     /// How many results to give.
///     #[serde(default = "ten")]
///     #[schemars(range(min = 1, max = 100))]
///     max_results: u32,
/// }
///
/// fn ten() -> u32 { 10 }
///
/// // Part of other arguments: a struct of one unnamed field stands for that field's value.
/// #[tool_args]
/// struct Meters(f64);
/// ```
///
/// | key | meaning |
/// | --- | --- |
/// | `undocumented` | the fields need no description |
/// | `crate = path` | where `agentscope_tool` is, if not where `Cargo.toml` says |
#[proc_macro_attribute]
pub fn tool_args(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand_args::expand_attribute(attr.into(), item.into()).into()
}

/// Makes a tool of a struct: its fields are the tool's configuration, and its body is `impl ToolBody`.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// /// Greet somebody.
/// #[derive(Tool)]
/// #[spec(read_only, title = "Greeter")]
/// struct Greet { greeting: String }
///
/// #[tool_args]
/// struct Whom {
///     /// The name.
///     name: String,
/// }
///
/// impl ToolBody for Greet {
///     type Args = Whom;
///     type Output = String;
///
///     async fn call(&self, args: Whom, _: ToolContext) -> String {
///         format!("{}, {}!", self.greeting, args.name)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let response = testing::call(Greet { greeting: "Hello".to_owned() }, json!({ "name": "Ada" })).await;
/// assert_eq!(response.text(), "Hello, Ada!");
/// # }
/// ```
///
/// The tool's name is the struct's, and its description the doc comment without the sections for human readers.
///
/// | key of `#[spec(…)]` | meaning |
/// | --- | --- |
/// | `name = "…"` | the tool's name, instead of the struct's |
/// | `description = expr` | the description, instead of the doc comment |
/// | `title = expr` | a name for people |
/// | `read_only` | the tool changes nothing |
/// | `concurrency_safe` | calls may run at the same time as others; `= false` if not |
/// | `external` | the tool is executed elsewhere: implement `ExternalBody` instead of `ToolBody` |
/// | `destructive` | the tool may destroy something |
/// | `idempotent` | a second call with the same arguments changes nothing more |
/// | `open_world` | the tool reaches out to the world, such as the web |
/// | `state_injected` | the body uses the conversation's `AgentState` |
/// | `crate = path` | where `agentscope_tool` is, if not where `Cargo.toml` says |
#[proc_macro_derive(Tool, attributes(spec))]
pub fn derive_tool(item: TokenStream) -> TokenStream {
    expand_derive::expand(item.into()).into()
}

/// Says that a type can be a tool's arguments, beside serde's `Deserialize` and schemars' `JsonSchema`, and checks
/// that every field has a description.
///
/// ```
/// use agentscope_tool::ToolArgs;
/// use agentscope_tool::{schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema, ToolArgs)]
/// #[serde(crate = "agentscope_tool::serde")]
/// #[schemars(crate = "agentscope_tool::schemars")]
/// struct Whom {
///     /// The name.
///     name: String,
/// }
/// ```
///
/// Fields that the model does not see (`#[serde(skip)]`), that are spread into others (`#[serde(flatten)]`) or that
/// schemars' attributes describe need no doc comment.
///
/// | key of `#[args(…)]` | meaning |
/// | --- | --- |
/// | `undocumented` | the fields need no description |
/// | `crate = path` | where `agentscope_tool` is, if not where `Cargo.toml` says |
#[proc_macro_derive(ToolArgs, attributes(args, arg, state, context))]
pub fn derive_tool_args(item: TokenStream) -> TokenStream {
    expand_args::expand_derive(item.into()).into()
}

/// Derives the tree of a type that is a part of arguments, for the check at compile time: `ToolType`, beside serde's
/// `Deserialize` and schemars' `JsonSchema`.
///
/// `#[derive(ToolArgs)]` and `#[tool_args]` derive it as well. This one is for types that cannot be arguments by themselves,
/// such as tuple structs. A type without it is opaque: strict profiles refuse it.
///
/// ```
/// use agentscope_tool::ToolType;
/// use agentscope_tool::{schemars::JsonSchema, serde::Deserialize};
///
/// #[derive(Deserialize, JsonSchema, ToolType)]
/// #[serde(crate = "agentscope_tool::serde")]
/// #[schemars(crate = "agentscope_tool::schemars")]
/// struct Point(f64, f64);
/// ```
///
/// It takes the keys of `#[args(…)]` that [`macro@ToolArgs`] takes.
#[proc_macro_derive(ToolType, attributes(args))]
pub fn derive_tool_type(item: TokenStream) -> TokenStream {
    expand_args::expand_type(item.into()).into()
}
