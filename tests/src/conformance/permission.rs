//! Cases about whether a call may run.

use agentscope_tool::{
    AgentState, PermissionBehavior, PermissionContext, PermissionMode, PermissionRule, ReadOnlyPolicy, ToolCall,
    Toolkit,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::fixture::Fixture;
use super::{Outcome, Verdict, builtin};

pub(super) async fn run(case: &Value, fixture: &Fixture) -> Result<Outcome, Verdict> {
    let call = fixture.filled(&case["call"]);
    let name = call["tool"].as_str().unwrap_or_default();
    let tool = builtin::tool(name, &builtin::backend(fixture)?, true)
        .ok_or_else(|| Verdict::Skipped(format!("the built-in tool `{name}` is not part of the library yet")))?;
    let toolkit = Toolkit::builder().tool(tool).build();
    let toolkit = toolkit.map_err(|error| Verdict::Failed(format!("there is no toolkit: {error}")))?;

    let state = AgentState::new().with_permissions(context(&call).map_err(Verdict::Skipped)?);
    let decision = toolkit.check(&ToolCall::from_value("call", name, &call["input"]), &state).await;
    let suggested = decision.suggested_rules.iter().flatten().filter_map(PermissionRule::content);
    Ok(Outcome {
        status: decision.behavior.to_string(),
        output: decision.explain(),
        suggested: Some(suggested.map(|content| fixture.emptied(content)).collect()),
        metadata: Some(json!({ "bypass_immune": decision.bypass_immune })),
        ..Outcome::default()
    })
}

/// The mode, rules and directories of a case. A rule that is refused is not there.
pub(super) fn context(call: &Value) -> Result<PermissionContext, String> {
    let mode = call["mode"].as_str().map_or(Ok(PermissionMode::Default), |mode| named(&mode.into()))?;
    let mut context = PermissionContext::new().with_mode(mode).with_read_only_policy(ReadOnlyPolicy::Always);
    for directory in call["working_directories"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        context = context.with_working_directory(directory);
    }
    for rule in call["rules"].as_array().into_iter().flatten() {
        let behavior: PermissionBehavior = named(&rule["behavior"])?;
        let whole = PermissionRule::whole_tool(rule["tool"].as_str().unwrap_or_default(), behavior);
        let rule = match rule["content"].as_str() {
            Some(content) => whole.with_content(content),
            None => whole,
        };
        let _ = context.add_rule(rule);
    }
    Ok(context)
}

fn named<T: DeserializeOwned>(name: &Value) -> Result<T, String> {
    T::deserialize(name).map_err(|error| error.to_string())
}
