//! Deciding about a call.

mod evaluation;
mod modes;

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use serde_json::{Map, Value};

use super::context::PermissionContext;
use super::decision::PermissionDecision;
use super::rule::{PermissionBehavior, PermissionRule};
use super::trace::{PermissionStep, PermissionTrace, TraceStep};
use crate::error::ToolError;
use crate::tool::{Tool, ToolInput};
use evaluation::Evaluation;

/// Decides whether calls may run, by the mode and the rules of a context and by what the tool itself says.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::{PermissionEngine, PermissionMode};
/// use serde_json::json;
///
/// /// Delete a customer.
/// #[tool(destructive)]
/// async fn delete_customer(/** The customer's number. */ id: u64) -> String { format!("deleted {id}") }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let input = ToolInput::from_value(json!({ "id": 7 }), DeleteCustomer.spec())?;
///
/// let engine = PermissionEngine::new(PermissionContext::new());
/// let decision = engine.check(&DeleteCustomer, &input).await;
/// assert_eq!(decision.behavior, PermissionBehavior::Ask);           // nobody has allowed it
///
/// let engine = PermissionEngine::new(PermissionContext::new().allow("delete_customer")?);
/// assert!(engine.check(&DeleteCustomer, &input).await.is_allowed());
///
/// let engine = PermissionEngine::new(PermissionMode::Explore);
/// let decision = engine.check(&DeleteCustomer, &input).await;
/// assert_eq!(decision.behavior, PermissionBehavior::Deny);
/// println!("{}", decision.explain());                               // which step decided, and why
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct PermissionEngine {
    context: PermissionContext,
}

impl PermissionEngine {
    /// An engine for this context, or for this mode without rules.
    #[must_use]
    pub fn new(context: impl Into<PermissionContext>) -> Self {
        Self { context: context.into() }
    }

    /// The context.
    #[must_use]
    pub fn context(&self) -> &PermissionContext {
        &self.context
    }

    /// Decides about a call; nothing of it runs.
    ///
    /// A tool may want other arguments than those of the call. The decision is made again for them, and carries them as
    /// `updated_input`: an allowed call has to be run with exactly these. A hook of the tool that panics denies the call.
    pub async fn check(&self, tool: &dyn Tool, input: &ToolInput) -> PermissionDecision {
        self.settle(tool, input).await.0
    }

    /// As [`check`](Self::check), with the input that the decision is about.
    pub(crate) async fn settle(&self, tool: &dyn Tool, input: &ToolInput) -> (PermissionDecision, ToolInput) {
        if let Some(reason) = self.context.closed_because() {
            return (refused(PermissionStep::Entry, &format!("every call is denied: {reason}")), input.clone());
        }
        let decided = AssertUnwindSafe(self.settle_changes(tool, input)).catch_unwind().await;
        decided.unwrap_or_else(|panic| {
            let error = ToolError::panicked(&*panic);
            tracing::error!(tool = tool.name(), %error, "a permission hook panicked");
            (
                refused(PermissionStep::Tool, "a permission hook of the tool failed, so the call is denied"),
                input.clone(),
            )
        })
    }

    /// Whether a rule of this tool matches a call, as the tool sees it.
    pub(crate) async fn is_match(&self, rule: &PermissionRule, tool: &dyn Tool, input: &ToolInput) -> bool {
        let matching = async { Evaluation::begin(&self.context, tool, input).await.matches(rule) };
        AssertUnwindSafe(matching).catch_unwind().await.unwrap_or(false)
    }

    /// Decides, and decides again as long as the tool wants other arguments.
    async fn settle_changes(&self, tool: &dyn Tool, input: &ToolInput) -> (PermissionDecision, ToolInput) {
        const MOST: usize = 4;
        let mut input = input.clone();
        let mut changed: Option<Map<String, Value>> = None;
        for _ in 0..MOST {
            let mut decision = Evaluation::begin(&self.context, tool, &input).await.decide(self.context.mode()).await;
            let wanted = decision.updated_input.take().filter(|wanted| wanted != input.arguments());
            let Some(wanted) = wanted else {
                decision.updated_input = changed;
                return (decision, input);
            };
            match ToolInput::from_value(Value::Object(wanted), tool.spec()) {
                // What was written in another way than the schema asks for may be the same after all.
                Ok(new) if new.arguments() == input.arguments() => {
                    decision.updated_input = changed;
                    return (decision, input);
                }
                Ok(new) => input = new,
                Err(error) => {
                    let note =
                        format!("the tool wants other arguments, which are not valid: {}", error.agent_message());
                    return (refused(PermissionStep::Tool, &note), input);
                }
            }
            changed = Some(input.arguments().clone());
        }
        (refused(PermissionStep::Tool, "the tool wants other arguments each time it is asked"), input)
    }
}

/// A denial outside of the usual order.
pub(crate) fn refused(step: PermissionStep, note: &str) -> PermissionDecision {
    // The rest is in the message.
    let first = note.lines().next().unwrap_or_default().trim_end_matches(':');
    let step = TraceStep::new(step, Some(PermissionBehavior::Deny), first.to_owned());
    let mut decision = PermissionDecision::deny(note).because(note);
    decision.trace = PermissionTrace(vec![step]);
    decision
}
