//! Cases about calling tools through a toolkit.

mod test_tool;

use std::time::{Duration, Instant};

use agentscope_tool::{AgentState, CancellationToken, ToolCall, Toolkit};
use serde_json::Value;

use super::Outcome;
use test_tool::TestTool;

pub(super) async fn run(case: &Value) -> Result<Outcome, String> {
    let toolkit = match build(&case["setup"])? {
        Ok(toolkit) => toolkit,
        Err(refused) => return Ok(Outcome::exception(refused)),
    };
    let state = AgentState::new();
    let calls = match &case["call"] {
        Value::Array(calls) => calls.as_slice(),
        call => std::slice::from_ref(call),
    };
    let started = Instant::now();
    let mut outcome = Err("the case has no call".to_owned());
    for call in calls {
        outcome = Ok(perform(call, &toolkit, &state).await?);
    }
    outcome.map(|outcome| Outcome { elapsed: started.elapsed().as_secs_f64(), ..outcome })
}

/// The toolkit of a case, or why it was refused; an outer error says what the library lacks.
fn build(setup: &Value) -> Result<Result<Toolkit, String>, String> {
    let mut builder = Toolkit::builder();
    for group in setup["groups"].as_array().into_iter().flatten() {
        if group["name"] != "basic" {
            return Err("there are no tool groups yet".into());
        }
        if group["skills"].as_array().is_some_and(|skills| !skills.is_empty()) {
            return Err("there are no skills yet".into());
        }
        for tool in group["tools"].as_array().into_iter().flatten() {
            if let Some(builtin) = tool["builtin"].as_str() {
                return Err(format!("the built-in tool `{builtin}` is not part of the library yet"));
            }
            builder = builder.tool(TestTool::new(tool)?);
        }
    }
    Ok(builder.build().map_err(|error| error.to_string()))
}

async fn perform(call: &Value, toolkit: &Toolkit, state: &AgentState) -> Result<Outcome, String> {
    let name = call["name"].as_str().unwrap_or_default();
    match call["op"].as_str() {
        None => {}
        Some("list_tools") => {
            let names = toolkit.specs(state).iter().map(|spec| spec.name().to_owned()).collect();
            return Ok(Outcome::value(names));
        }
        Some("schema") => {
            return Ok(match toolkit.spec(name) {
                Some(spec) => Outcome::value(spec.input_schema().clone()),
                None => Outcome::error(format!("there is no tool `{name}`")),
            });
        }
        Some(op) => return Err(format!("the operation `{op}` is not part of the library yet")),
    }
    let input = call["input"].as_str().ok_or("the call's `input` is no text")?;
    let stream = toolkit.call(ToolCall::new("call", name, input), state);
    let response = match call["cancel_after"].as_f64() {
        None => stream.response().await,
        Some(seconds) => {
            let token = CancellationToken::new();
            let canceller = token.clone();
            tokio::spawn(async move {
                tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
                canceller.cancel();
            });
            stream.cancel_with(token).response().await
        }
    };
    let groups = state.read(|record| record.tool_context.activated_groups.clone());
    Ok(Outcome { activated_groups: Some(groups.into()), ..Outcome::from(&response) })
}
