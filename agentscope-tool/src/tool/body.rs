//! The typed bodies of derived tools, and the way from them to [`Tool`]'s hooks.

use std::borrow::Cow;
use std::future::Future;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::{Tool, ToolArgs, ToolContext, default_decision, default_suggestions};
use crate::output::IntoToolOutput;
use crate::permission::{Footprint, PermissionContext, PermissionDecision, PermissionRule};

/// The body of a `#[derive(Tool)]` struct: what it does, with its arguments decoded, and optionally its own say in
/// permissions. Hooks and body share one decoding of the arguments.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use serde_json::json;
///
/// /// Deploy a build to an environment.
/// #[derive(Tool)]
/// #[spec(destructive)]
/// struct Deploy { dry_run: bool }
///
/// #[tool_args]
/// struct DeployArgs {
///     /// The environment, for example `staging` or `prod-eu`.
///     target: String,
///     /// The build number.
///     #[schemars(range(min = 1))]
///     build: u64,
/// }
///
/// impl ToolBody for Deploy {
///     type Args = DeployArgs;
///     type Output = String;
///
///     async fn check_permissions(&self, args: &DeployArgs, _: &PermissionContext) -> PermissionDecision {
///         if args.target.starts_with("prod") {
///             PermissionDecision::ask(format!("deploys build {} to production", args.build)).bypass_immune()
///         } else {
///             PermissionDecision::passthrough()
///         }
///     }
///
///     async fn call(&self, args: DeployArgs, _: ToolContext) -> String {
///         let verb = if self.dry_run { "would deploy" } else { "deployed" };
///         format!("{verb} build {} to {}", args.build, args.target)
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let response = testing::call(Deploy { dry_run: true }, json!({ "target": "staging", "build": 7 })).await;
/// assert_eq!(response.text(), "would deploy build 7 to staging");
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "the tool `{Self}` has no body",
    label = "no `impl ToolBody` for this tool",
    note = "write `impl ToolBody for {Self}`, or `#[spec(external)]` and `impl ExternalBody for {Self}` if it is executed elsewhere"
)]
pub trait ToolBody: Tool + Sized {
    /// The arguments.
    type Args: ToolArgs;
    /// What a call returns.
    type Output: IntoToolOutput + Send;

    /// Runs the tool.
    fn call(&self, args: Self::Args, cx: ToolContext) -> impl Future<Output = Self::Output> + Send;

    /// What this call touches: by default nothing that rules could name. The only hook that may do I/O.
    fn footprint(&self, args: &Self::Args) -> impl Future<Output = Footprint> + Send {
        let _ = args;
        async { Footprint::new() }
    }

    /// What the tool itself thinks of a call: by default that somebody has to be asked.
    fn check_permissions(
        &self,
        args: &Self::Args,
        cx: &PermissionContext,
    ) -> impl Future<Output = PermissionDecision> + Send {
        let _ = (args, cx);
        async { default_decision(self.spec()) }
    }

    /// Whether this call only reads: by default what the spec says of every call.
    fn check_read_only(&self, args: &Self::Args) -> impl Future<Output = bool> + Send {
        let _ = args;
        async { self.spec().is_read_only() }
    }

    /// Whether a permission rule of this tool matches this call: by default its content is a
    /// [path pattern](Footprint::matches) for the paths of the footprint. A rule without content matches every call and
    /// is not asked about.
    fn match_rule(&self, rule: &PermissionRule, args: &Self::Args, footprint: &Footprint) -> bool {
        let _ = args;
        footprint.matches(rule)
    }

    /// Those of the allow rules that together cover all of this call, none when they do not: by default the first that
    /// [matches](Self::match_rule) alone. For a tool whose calls have parts that rules can cover one by one, such as the
    /// commands of a script. Rules without content are not asked about.
    fn rules_that_cover(
        &self,
        rules: &[PermissionRule],
        args: &Self::Args,
        footprint: &Footprint,
    ) -> Vec<PermissionRule> {
        rules.iter().find(|rule| ToolBody::match_rule(self, rule, args, footprint)).cloned().into_iter().collect()
    }

    /// Rules that would settle calls like this one: by default one that allows the whole tool.
    fn generate_suggestions(&self, args: &Self::Args, footprint: &Footprint) -> Vec<PermissionRule> {
        let _ = (args, footprint);
        default_suggestions(self.spec())
    }

    /// A description that depends on how the tool is configured; by default the doc comment is the description.
    fn describe(&self) -> Option<Cow<'static, str>> {
        None
    }
}

/// The typed side of a `#[derive(Tool)]` struct with `#[spec(external)]`: its arguments, the result that whoever
/// executes it promises, and optionally its own say in permissions. It has no `call`.
///
/// ```
/// use agentscope_tool::prelude::*;
///
/// /// Ask a person to approve a sensitive operation.
/// #[derive(Tool)]
/// #[spec(external)]
/// struct HumanApproval;
///
/// #[tool_args]
/// struct Request {
///     /// The action that needs approval.
///     action: String,
/// }
///
/// #[tool_args(undocumented)]
/// struct Approval { approved: bool }
///
/// impl ExternalBody for HumanApproval {
///     type Args = Request;
///     type Output = Approval;
/// }
///
/// assert!(HumanApproval.spec().is_external_tool());
/// assert!(HumanApproval.spec().output_schema().is_some());
/// ```
#[diagnostic::on_unimplemented(
    message = "the external tool `{Self}` does not say what its arguments and its result are",
    label = "no `impl ExternalBody` for this tool",
    note = "write `impl ExternalBody for {Self}` with `type Args` and `type Output`"
)]
pub trait ExternalBody: Tool + Sized {
    /// The arguments.
    type Args: ToolArgs;
    /// The result that the executor promises.
    type Output: JsonSchema + DeserializeOwned;

    /// What this call touches: by default nothing that rules could name. The only hook that may do I/O.
    fn footprint(&self, args: &Self::Args) -> impl Future<Output = Footprint> + Send {
        let _ = args;
        async { Footprint::new() }
    }

    /// What the tool itself thinks of a call: by default that somebody has to be asked.
    fn check_permissions(
        &self,
        args: &Self::Args,
        cx: &PermissionContext,
    ) -> impl Future<Output = PermissionDecision> + Send {
        let _ = (args, cx);
        async { default_decision(self.spec()) }
    }

    /// Whether this call only reads: by default what the spec says of every call.
    fn check_read_only(&self, args: &Self::Args) -> impl Future<Output = bool> + Send {
        let _ = args;
        async { self.spec().is_read_only() }
    }

    /// Whether a permission rule of this tool matches this call: by default its content is a
    /// [path pattern](Footprint::matches) for the paths of the footprint. A rule without content matches every call and
    /// is not asked about.
    fn match_rule(&self, rule: &PermissionRule, args: &Self::Args, footprint: &Footprint) -> bool {
        let _ = args;
        footprint.matches(rule)
    }

    /// Those of the allow rules that together cover all of this call, none when they do not: by default the first that
    /// [matches](Self::match_rule) alone. For a tool whose calls have parts that rules can cover one by one, such as the
    /// commands of a script. Rules without content are not asked about.
    fn rules_that_cover(
        &self,
        rules: &[PermissionRule],
        args: &Self::Args,
        footprint: &Footprint,
    ) -> Vec<PermissionRule> {
        rules.iter().find(|rule| ExternalBody::match_rule(self, rule, args, footprint)).cloned().into_iter().collect()
    }

    /// Rules that would settle calls like this one: by default one that allows the whole tool.
    fn generate_suggestions(&self, args: &Self::Args, footprint: &Footprint) -> Vec<PermissionRule> {
        let _ = (args, footprint);
        default_suggestions(self.spec())
    }

    /// A description that depends on how the tool is configured; by default the doc comment is the description.
    fn describe(&self) -> Option<Cow<'static, str>> {
        None
    }
}

/// The functions through which a derived `impl Tool` reaches the hooks of `$body`.
///
/// Arguments that cannot be decoded have passed the schema and still mean nothing to the tool; such a call is denied,
/// is not read-only, and is matched by every rule that does not allow.
macro_rules! hooks {
    ($module:ident, $body:ident) => {
        #[doc(hidden)]
        pub mod $module {
            use std::borrow::Cow;

            use crate::permission::{
                Footprint, PermissionBehavior, PermissionContext, PermissionDecision, PermissionRule,
            };
            use crate::tool::{ToolInput, $body};

            pub async fn check_permissions<B: $body>(
                body: &B,
                input: &ToolInput,
                cx: &PermissionContext,
            ) -> PermissionDecision {
                match input.shared_args::<B::Args>() {
                    Ok(args) => $body::check_permissions(body, &args, cx).await,
                    Err(error) => PermissionDecision::deny(error.to_string()),
                }
            }

            pub async fn check_read_only<B: $body>(body: &B, input: &ToolInput) -> bool {
                match input.shared_args::<B::Args>() {
                    Ok(args) => $body::check_read_only(body, &args).await,
                    Err(_) => false,
                }
            }

            pub async fn footprint<B: $body>(body: &B, input: &ToolInput) -> Footprint {
                match input.shared_args::<B::Args>() {
                    Ok(args) => $body::footprint(body, &args).await,
                    Err(error) => Footprint::new().and_unknown(error.to_string()),
                }
            }

            pub fn match_rule<B: $body>(
                body: &B,
                rule: &PermissionRule,
                input: &ToolInput,
                footprint: &Footprint,
            ) -> bool {
                match input.shared_args::<B::Args>() {
                    Ok(args) => $body::match_rule(body, rule, &args, footprint),
                    Err(_) => rule.behavior() != PermissionBehavior::Allow,
                }
            }

            pub fn rules_that_cover<B: $body>(
                body: &B,
                rules: &[PermissionRule],
                input: &ToolInput,
                footprint: &Footprint,
            ) -> Vec<PermissionRule> {
                match input.shared_args::<B::Args>() {
                    Ok(args) => $body::rules_that_cover(body, rules, &args, footprint),
                    Err(_) => Vec::new(),
                }
            }

            pub fn generate_suggestions<B: $body>(
                body: &B,
                input: &ToolInput,
                footprint: &Footprint,
            ) -> Vec<PermissionRule> {
                match input.shared_args::<B::Args>() {
                    Ok(args) => $body::generate_suggestions(body, &args, footprint),
                    Err(_) => Vec::new(),
                }
            }

            pub fn describe<B: $body>(body: &B) -> Option<Cow<'static, str>> {
                $body::describe(body)
            }
        }
    };
}

hooks!(body_hooks, ToolBody);
hooks!(external_hooks, ExternalBody);
