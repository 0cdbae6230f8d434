//! Functions that are a tool's own say in permissions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::sync::atomic::{AtomicU32, Ordering};

use agentscope_tool::prelude::*;
use serde_json::{Value, json};

/// What a tool says of a call with these arguments to somebody who allowed nothing.
async fn decision(tool: impl Tool, arguments: Value) -> PermissionDecision {
    let name = tool.spec().name().to_owned();
    let toolkit = Toolkit::builder().tool(tool).build().unwrap();
    toolkit.check(&ToolCall::new("1", name, arguments.to_string()), &AgentState::new()).await
}

async fn may_deploy(input: &ToolInput, cx: &PermissionContext) -> PermissionDecision {
    tokio::task::yield_now().await;
    match input.str("target") {
        Ok(target) if target.starts_with("prod") => {
            PermissionDecision::ask(format!("deploys to {target} {:?}", input.get("times"))).bypass_immune()
        }
        _ if cx.mode() == PermissionMode::DontAsk => PermissionDecision::deny("nobody watches"),
        _ => PermissionDecision::allow("not production"),
    }
}

fn may_block(input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    if input.str("target").is_ok_and(|target| target == "here") {
        PermissionDecision::allow("here")
    } else {
        PermissionDecision::deny("elsewhere")
    }
}

/// Deploy a build.
#[tool(permission = may_deploy)]
async fn deploy(
    /** Where. */
    target: String,
    /** How often. */
    #[arg(default = 1)]
    times: u8,
) -> String {
    format!("{target} {times}")
}

/// Deploy a build at once.
#[tool(permission = may_block)]
fn deploy_at_once(
    /** Where. */
    target: String,
) -> String {
    target
}

/// Deploy a build slowly.
#[tool(blocking, permission = may_block)]
fn deploy_slowly(
    /** Where. */
    target: String,
) -> String {
    target
}

/// Deploy a build bit by bit.
#[tool(permission = may_block)]
fn deploy_by_bits(
    /** Where. */
    target: String,
) -> impl Stream<Item = String> {
    futures_util::stream::iter([target])
}

/// Have somebody deploy a build.
#[tool(external, permission = may_deploy)]
async fn deploy_elsewhere(
    /** Where. */
    target: String,
    /** How often. */
    times: u8,
) -> bool;

#[tokio::test]
async fn a_permission_function_decides_by_the_checked_input() {
    let decided = decision(Deploy, json!({ "target": "prod-1", "times": "3" })).await;
    // What the model sent as text has become the number that the schema asks for.
    assert_eq!(
        (decided.behavior, decided.message.as_str()),
        (PermissionBehavior::Ask, "deploys to prod-1 Some(Number(3))")
    );
    assert_eq!(decision(Deploy, json!({ "target": "test" })).await.behavior, PermissionBehavior::Allow);
    assert_eq!(testing::call(Deploy, json!({ "target": "test" })).await.text(), "test 1");
}

#[tokio::test]
async fn a_permission_function_gets_the_context() {
    let toolkit = Toolkit::builder().tool(Deploy).build().unwrap();
    let call = ToolCall::new("1", "deploy", r#"{"target": "test"}"#);
    for (mode, expected) in
        [(PermissionMode::Default, PermissionBehavior::Allow), (PermissionMode::DontAsk, PermissionBehavior::Deny)]
    {
        let state = AgentState::new().with_permissions(mode);
        assert_eq!(toolkit.check(&call, &state).await.behavior, expected, "{mode:?}");
    }
}

#[tokio::test]
async fn a_permission_function_can_ask_past_an_allow_rule() {
    let toolkit = Toolkit::builder().tool(Deploy).build().unwrap();
    let state = AgentState::new().with_permissions(PermissionContext::new().allow("deploy").unwrap());
    let call = ToolCall::new("1", "deploy", r#"{"target": "prod"}"#);
    assert_eq!(toolkit.check(&call, &state).await.behavior, PermissionBehavior::Ask);
    assert!(!toolkit.call(call, &state).response().await.is_success());
}

#[tokio::test]
async fn every_kind_of_function_can_have_a_permission_function() {
    for (target, expected) in [("here", PermissionBehavior::Allow), ("there", PermissionBehavior::Deny)] {
        let arguments = json!({ "target": target });
        assert_eq!(decision(DeployAtOnce, arguments.clone()).await.behavior, expected);
        assert_eq!(decision(DeploySlowly, arguments.clone()).await.behavior, expected);
        assert_eq!(decision(DeployByBits, arguments).await.behavior, expected);
    }
    let decided = decision(DeployElsewhere, json!({ "target": "prod", "times": 2 })).await;
    assert_eq!(
        (decided.behavior, decided.message.as_str()),
        (PermissionBehavior::Ask, "deploys to prod Some(Number(2))")
    );
    let decided = decision(DeployElsewhere, json!({ "target": "test", "times": 2 })).await;
    assert_eq!(decided.behavior, PermissionBehavior::Allow);
}

/// Deploy a build without a say.
#[tool]
async fn deploy_silently(
    /** Where. */
    target: String,
) -> String {
    target
}

/// Have somebody deploy a build without a say.
#[tool(external)]
async fn deploy_silently_elsewhere(
    /** Where. */
    target: String,
) -> bool;

#[tokio::test]
async fn a_function_without_a_permission_function_asks() {
    let arguments = json!({ "target": "test" });
    assert_eq!(decision(DeploySilently, arguments.clone()).await.behavior, PermissionBehavior::Ask);
    assert_eq!(decision(DeploySilentlyElsewhere, arguments).await.behavior, PermissionBehavior::Ask);
}

fn may_burn(input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    match input.str("target") {
        Ok("production") => PermissionDecision::deny("people use it"),
        Ok(_) => PermissionDecision::allow("nobody is there"),
        Err(error) => PermissionDecision::ask(error.to_string()),
    }
}

/// Burn a place down.
#[tool(permission = may_burn)]
async fn burn(
    /** Where. */
    #[arg(default = "production")]
    target: String,
) -> String {
    target
}

struct Matches;

#[toolset]
impl Matches {
    /// Strike a match.
    #[tool(permission = Self::may_strike)]
    async fn strike(
        &self,
        /** Where. */
        #[arg(rename = "where", default = "production")]
        target: Option<String>,
        /** How often. */
        #[arg(default = std::process::id())]
        times: u32,
    ) -> String {
        format!("{target:?} {times}")
    }

    async fn may_strike(&self, input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        let target = input.arg::<Option<String>>("where");
        let times = input.arg::<u32>("times");
        match (target, times) {
            (Ok(target), Ok(times)) => PermissionDecision::deny(format!("{target:?} {times}")),
            (target, times) => PermissionDecision::ask(format!("{target:?} {times:?}")),
        }
    }
}

#[tokio::test]
async fn a_permission_function_sees_the_defaults_that_would_run() {
    let toolkit = Toolkit::builder().tool(Burn).toolset(Matches).build().unwrap();
    for arguments in ["{}", "", r#"{"target": "production"}"#] {
        let call = ToolCall::new("1", "burn", arguments);
        let allowed = AgentState::new().with_permissions(PermissionContext::new().allow("burn").unwrap());
        assert_eq!(toolkit.check(&call, &allowed).await.behavior, PermissionBehavior::Deny, "{arguments}");
        assert_eq!(toolkit.call(call, &allowed).response().await.state, ToolResultState::Denied);
    }
    let staging = ToolCall::new("1", "burn", r#"{"target": "staging"}"#);
    assert_eq!(toolkit.call(staging, &AgentState::new()).response().await.text(), "staging");

    for (arguments, target) in [("{}", "Some(\"production\")"), (r#"{"where": null}"#, "None")] {
        let call = ToolCall::new("1", "strike", arguments);
        let runs = toolkit.call_unchecked(call.clone(), &AgentState::new()).response().await.text();
        assert_eq!(runs, format!("{target} {}", std::process::id()));
        assert_eq!(toolkit.check(&call, &AgentState::new()).await.message, runs);
    }
}

static ROLLED: AtomicU32 = AtomicU32::new(0);

fn may_roll(input: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    PermissionDecision::allow(format!("{:?}", input.get("number")))
}

/// Roll dice whose default is another one each time that it is made.
#[tool(permission = may_roll)]
async fn roll(
    /** The number. */
    #[arg(default = ROLLED.fetch_add(1, Ordering::Relaxed))]
    number: u32,
) -> String {
    format!("Some(Number({number}))")
}

#[tokio::test]
async fn what_was_decided_about_is_what_runs_also_where_a_default_changes() {
    let toolkit = Toolkit::builder().tool(Roll).build().unwrap();
    for _ in 0..3 {
        let call = ToolCall::new("1", "roll", "{}");
        let decided = toolkit.check(&call, &AgentState::new()).await;
        assert_eq!(toolkit.call(call, &AgentState::new()).response().await.text(), decided.message);
    }
}

fn may_break(_: &ToolInput, _: &PermissionContext) -> PermissionDecision {
    panic!("a fault")
}

/// Break.
#[tool(permission = may_break)]
async fn break_down() {}

#[tokio::test]
async fn a_permission_function_that_panics_allows_nothing() {
    let toolkit = Toolkit::builder().tool(BreakDown).build().unwrap();
    let state = AgentState::new().with_permissions(PermissionContext::new().allow("break_down").unwrap());
    let call = ToolCall::new("1", "break_down", "{}");
    assert_ne!(toolkit.check(&call, &state).await.behavior, PermissionBehavior::Allow);
    assert!(!toolkit.call(call, &state).response().await.is_success());
}
