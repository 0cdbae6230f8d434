//! A user may be strict: generated code raises no warning, neither the compiler's nor clippy's.
#![deny(warnings, missing_docs, unused, rust_2018_idioms, unreachable_pub, unused_qualifications, let_underscore_drop)]
#![deny(missing_debug_implementations, single_use_lifetimes, trivial_casts, unused_results, variant_size_differences)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery, clippy::cargo)]
#![deny(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::absolute_paths, clippy::shadow_unrelated)]
#![allow(clippy::multiple_crate_versions, clippy::cargo_common_metadata)]
#![forbid(unsafe_code)]

use std::fmt::Error;
use std::future::ready;
use std::sync::Arc;

use agentscope_tool::prelude::*;
use futures_util::stream::empty;

/// A unit.
#[tool_args]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Metric.
    Celsius,
    /// Imperial.
    Fahrenheit,
}

/// Get the weather.
#[tool(read_only, title = "Weather")]
#[must_use]
pub async fn get_weather(
    /// The city.
    #[arg(length(min = 1), default = "Oslo")]
    city: String,
    /// The unit.
    #[arg(default = Unit::Celsius, example = "Celsius")]
    unit: Unit,
    /// The days.
    #[arg(range(min = 1), default = 3)]
    days: Option<u8>,
    #[arg(skip)] skipped: u8,
    #[state] service: &Arc<Service>,
    #[context] cx: &ToolContext,
) -> String {
    ready(()).await;
    [city, format!("{unit:?}{days:?}{skipped}{service:?}"), cx.call_id().to_owned()].concat()
}

/// Fail.
///
/// # Errors
///
/// Always.
#[tool(blocking)]
#[expect(clippy::missing_const_for_fn, reason = "a tool runs when it is called")]
pub fn fail() -> Result<(), Error> {
    Err(Error)
}

async fn may_stream(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    ready(PermissionDecision::passthrough()).await
}

/// Stream.
#[tool(permission = may_stream)]
pub fn stream() -> impl Stream<Item = String> + Send {
    empty()
}

/// Old.
#[tool(struct = Old)]
#[deprecated = "use the new one"]
pub async fn old() {
    ready(()).await;
}

/// Approve.
#[tool(external)]
pub async fn approve(
    /** The action. */
    action: String,
) -> bool;

/// A service.
#[derive(Debug, Clone)]
pub struct Service;

#[toolset]
impl Service {
    /// Serve as before.
    #[tool]
    #[deprecated = "use the new one"]
    pub async fn serve_as_before(&self) {
        ready(()).await;
    }

    /// Serve.
    #[tool(permission = Self::may_serve)]
    pub async fn serve(
        &self,
        /** The dish. */
        #[arg(default = "soup")]
        dish: String,
    ) -> String {
        ready(()).await;
        format!("{self:?}{dish}")
    }

    fn may_serve(&self, input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::ask(format!("{self:?}{input:?}"))
    }
}

/// Arguments.
#[tool_args]
#[derive(Debug, Clone)]
pub struct Args {
    /// The dish.
    pub dish: String,
}

/// Derived.
#[derive(Tool, Debug)]
pub struct Derived;

impl ToolBody for Derived {
    type Args = Args;
    type Output = Json<String>;

    async fn call(&self, args: Args, _: ToolContext) -> Json<String> {
        ready(()).await;
        Json(args.dish)
    }
}

/// Derived external.
#[derive(Tool, Debug)]
#[spec(external)]
pub struct DerivedExternal;

impl ExternalBody for DerivedExternal {
    type Args = Args;
    type Output = String;
}

#[test]
fn strict_code_compiles() -> Result<(), ToolkitError> {
    let built = Toolkit::builder()
        .state(Service)
        .tool(GetWeather)
        .tool(Fail)
        .tool(StreamTool)
        .tool(Approve)
        .tool(Old)
        .tool(Derived)
        .tool(DerivedExternal)
        .toolset(Service)
        .build()?;
    assert_eq!(built.schemas(&AgentState::new()).len(), 9);
    Ok(())
}
