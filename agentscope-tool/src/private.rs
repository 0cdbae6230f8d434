//! What generated code refers to. No part of the public interface: it changes without notice.

use std::borrow::Cow;
use std::sync::Arc;

pub use std;

pub use core;
pub use schemars;
pub use serde;
pub use serde_json;

pub use crate::error::ToolError;
pub use crate::output::{DescribeOutput, IntoToolOutput, NoOutput, OutputProbe, Streamed, ToolOutput, ToolStream};
pub use crate::permission::{Footprint, PermissionContext, PermissionDecision, PermissionRule};
pub use crate::schema::tree::check::{argument, argument_for, field, root, totals, variant};
pub use crate::schema::tree::{self, Probe};
pub use crate::state::{AgentState, State};
pub use crate::tool::{
    Argument, ExternalBody, MethodTool, Param, SpecBuilder, SpecCell, Tool, ToolArgs, ToolBody, ToolContext, ToolInput,
    ToolSpec, Toolset, body_hooks, external_hooks,
};

#[cfg(feature = "testing")]
pub use crate::testing::Registered;
#[cfg(feature = "testing")]
pub use {insta, inventory};

pub use crate::__register_tool as register;

/// Puts a tool on the list of all tools of the program, where somebody wants that list.
#[cfg(feature = "testing")]
#[doc(hidden)]
#[macro_export]
macro_rules! __register_tool {
    ($make:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::Registered::new(module_path!(), $make) }
    };
}

#[cfg(not(feature = "testing"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __register_tool {
    ($make:expr) => {};
}

/// The traits that the probes fall back to, without names that a user's could be taken for.
pub mod probes {
    pub use super::{DescribeOutput as _, NoOutput as _, NotWritten as _};
    pub use crate::schema::tree::Opaque as _;
}

/// What runs a call of a tool that is made of a function.
pub type Call = fn(ToolInput, ToolContext) -> ToolStream;

/// What the asynchronous hooks of a tool return.
pub type Hook<'a, T> = std::pin::Pin<std::boxed::Box<dyn Future<Output = T> + Send + 'a>>;

/// One argument of a call. The bounds are those of [`Param::new`], so that a type that does not meet them is reported
/// once.
pub fn arg<T: Argument + Send>(input: &ToolInput, name: &str) -> Result<T, ToolError> {
    input.arg(name)
}

/// One argument of a call, or its default.
pub fn or<T: Argument + Send>(input: &ToolInput, name: &str, default: impl FnOnce() -> T) -> Result<T, ToolError> {
    input.arg_or(name, default)
}

/// What a derived tool runs. It is made in one place, so that a tool without a body is reported once.
pub struct Hooks<B> {
    pub call: fn(Arc<B>, ToolInput, ToolContext) -> ToolStream,
    pub describe: fn(&B) -> Option<Cow<'static, str>>,
    pub check_permissions: for<'a> fn(&'a B, &'a ToolInput, &'a PermissionContext) -> Hook<'a, PermissionDecision>,
    pub check_read_only: for<'a> fn(&'a B, &'a ToolInput) -> Hook<'a, bool>,
    pub footprint: for<'a> fn(&'a B, &'a ToolInput) -> Hook<'a, Footprint>,
    pub match_rule: fn(&B, &PermissionRule, &ToolInput, &Footprint) -> bool,
    pub rules_that_cover: fn(&B, &[PermissionRule], &ToolInput, &Footprint) -> Vec<PermissionRule>,
    pub generate_suggestions: fn(&B, &ToolInput, &Footprint) -> Vec<PermissionRule>,
}

/// The hooks of derived tools.
pub const fn body<B: ToolBody>() -> Hooks<B> {
    Hooks {
        call: |body, input, cx| {
            ToolStream::once(async move {
                let args = input.into_args::<B::Args>()?;
                Ok::<_, ToolError>(ToolBody::call(&*body, args, cx).await.into_tool_output())
            })
        },
        describe: body_hooks::describe,
        check_permissions: |body, input, cx| Box::pin(body_hooks::check_permissions(body, input, cx)),
        check_read_only: |body, input| Box::pin(body_hooks::check_read_only(body, input)),
        footprint: |body, input| Box::pin(body_hooks::footprint(body, input)),
        match_rule: body_hooks::match_rule,
        rules_that_cover: body_hooks::rules_that_cover,
        generate_suggestions: body_hooks::generate_suggestions,
    }
}

/// What tells whether a body's results have a schema.
pub fn output_of<B: ToolBody>() -> OutputProbe<B::Output> {
    OutputProbe::new()
}

/// The hooks of derived external tools.
pub const fn external<B: ExternalBody>() -> Hooks<B> {
    Hooks {
        call: |body, _, _| ToolStream::error(ToolError::external(body.spec().name())),
        describe: external_hooks::describe,
        check_permissions: |body, input, cx| Box::pin(external_hooks::check_permissions(body, input, cx)),
        check_read_only: |body, input| Box::pin(external_hooks::check_read_only(body, input)),
        footprint: |body, input| Box::pin(external_hooks::footprint(body, input)),
        match_rule: external_hooks::match_rule,
        rules_that_cover: external_hooks::rules_that_cover,
        generate_suggestions: external_hooks::generate_suggestions,
    }
}

/// What the function of a `permission` key may return: a decision, or a future of one.
#[diagnostic::on_unimplemented(
    message = "the function named by `permission` returns `{Self}`, which is no decision",
    label = "returns no `PermissionDecision`",
    note = "write `fn` or `async fn` with `-> PermissionDecision`; where the function cannot tell, it asks or denies"
)]
pub trait Decision {
    fn decide(self) -> impl Future<Output = PermissionDecision> + Send
    where
        Self: Send;
}

impl Decision for PermissionDecision {
    fn decide(self) -> impl Future<Output = Self> + Send {
        std::future::ready(self)
    }
}

#[diagnostic::do_not_recommend]
impl<F: Future<Output = PermissionDecision>> Decision for F {
    fn decide(self) -> impl Future<Output = PermissionDecision> + Send
    where
        Self: Send,
    {
        self
    }
}

/// What the function of a `permission` key says. It is called when the answer is awaited, so that its panic is the
/// answer's.
///
/// The function is taken as a pointer: one that does not fit is then reported beside the type that is wanted, and without
/// the advice to write a closure, which an attribute cannot take.
pub fn ask<'a, D: Decision + Send + 'a>(
    function: fn(&'a ToolInput, &'a PermissionContext) -> D,
    input: &'a ToolInput,
    cx: &'a PermissionContext,
) -> Hook<'a, PermissionDecision> {
    Box::pin(async move { function(input, cx).decide().await })
}

/// What the function of a method's `permission` key says.
pub fn ask_method<'a, S: Sync, D: Decision + Send + 'a>(
    function: fn(&'a S, &'a ToolInput, &'a PermissionContext) -> D,
    object: &'a S,
    input: &'a ToolInput,
    cx: &'a PermissionContext,
) -> Hook<'a, PermissionDecision> {
    Box::pin(async move { function(object, input, cx).decide().await })
}

/// A value in JSON, for a tree.
pub fn tree_value<T: serde::Serialize + ?Sized>(value: &T) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A text in JSON, for a tree.
pub fn tree_text<T: std::fmt::Display + ?Sized>(text: &T) -> serde_json::Value {
    text.to_string().into()
}

/// A default of a field. Its `value` is its JSON where its type can be written, else that of [`NotWritten`].
pub struct Written<T>(pub T);

impl<T: serde::Serialize> Written<T> {
    pub fn value(self) -> Option<serde_json::Value> {
        serde_json::to_value(self.0).ok()
    }
}

/// For defaults of types that cannot be written.
pub trait NotWritten: Sized {
    fn value(self) -> Option<serde_json::Value> {
        None
    }
}

impl<T> NotWritten for Written<T> {}
