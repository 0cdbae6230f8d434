//! Cases about calling tools through a toolkit.

mod test_tool;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agentscope_tool::{
    AgentState, BASIC_GROUP, Backend, CancellationToken, LocalSkillLoader, PermissionMode, Skill, SkillLoader, Tool,
    ToolCall, ToolGroup, Toolkit,
};
use serde_json::Value;

use super::fixture::Fixture;
use super::{Outcome, Verdict, builtin, time_limit};
use test_tool::TestTool;

pub(super) async fn run(case: &Value, fixture: &Fixture) -> Result<Outcome, Verdict> {
    let setup = &case["setup"];
    let toolkit = match build(&fixture.filled(setup), fixture)? {
        Ok(toolkit) => toolkit,
        Err(refused) => return Ok(Outcome::exception(refused)),
    };
    // Whether a call may run is not what these cases are about.
    let state = AgentState::new().with_permissions(PermissionMode::Bypass);
    if let Some(groups) = setup["activated_groups"].as_array() {
        let groups = groups.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        state.update(|record| record.tool_context.activated_groups = groups);
    }
    let before = fixture.content();
    let calls = match &case["call"] {
        Value::Array(calls) => calls.as_slice(),
        call => std::slice::from_ref(call),
    };
    let started = Instant::now();
    let mut outcome = Err(Verdict::Skipped("the case has no call".into()));
    for call in calls {
        let performed = tokio::time::timeout(time_limit(case), perform(&fixture.filled(call), &toolkit, &state)).await;
        let performed = performed.map_err(|_| Verdict::Failed("the call does not end in time".into()))?;
        outcome = Ok(performed.map_err(Verdict::Skipped)?);
    }
    let elapsed = started.elapsed().as_secs_f64();
    let changed = builtin::changed(&before, fixture);
    let probe = builtin::probe(fixture, case);
    outcome.map(|outcome| Outcome {
        output: fixture.emptied(&outcome.output),
        elapsed,
        probe,
        changed: Some(changed),
        ..outcome
    })
}

/// The toolkit of a case, or why it was refused; an outer error says what the library lacks.
fn build(setup: &Value, fixture: &Fixture) -> Result<Result<Toolkit, String>, Verdict> {
    let backend = builtin::backend(fixture)?;
    let mut builder = Toolkit::builder();
    for described in setup["groups"].as_array().into_iter().flatten() {
        let (tools, skills) = (tools(described, &backend).map_err(Verdict::Skipped)?, skills(described));
        let text = |key: &str| described[key].as_str().unwrap_or_default();
        // What is always active is the toolkit's own.
        if text("name") == BASIC_GROUP {
            builder = skills.into_iter().fold(builder.tools(tools), |builder, skills| builder.skills(skills));
        } else {
            let group = ToolGroup::new(text("name"), text("description")).instructions(text("instructions"));
            builder = builder.group(skills.into_iter().fold(group.tools(tools), |group, skills| group.skills(skills)));
        }
    }
    Ok(builder.build().map_err(|error| error.to_string()))
}

fn tools(group: &Value, backend: &Arc<dyn Backend>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let tools = group["tools"].as_array().into_iter().flatten().map(|tool| match tool["builtin"].as_str() {
        None => Ok(Arc::new(TestTool::new(tool)?) as Arc<dyn Tool>),
        Some(name) => builtin::tool(name, backend, true)
            .ok_or_else(|| format!("the built-in tool `{name}` is not part of the library yet")),
    });
    tools.collect()
}

fn skills(group: &Value) -> Vec<Arc<dyn SkillLoader>> {
    let skills = group["skills"].as_array().into_iter().flatten().map(|skill| match skill.as_str() {
        Some(directory) => Arc::new(LocalSkillLoader::new(directory)) as Arc<dyn SkillLoader>,
        None => {
            let text = |key: &str| skill[key].as_str().unwrap_or_default();
            Arc::new(Skill::new(text("name"), text("description"), text("markdown")).in_dir(text("dir")))
        }
    });
    skills.collect()
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
                Some(spec) => {
                    let schema = spec.input_schema().clone();
                    Outcome { output: test_tool::spaced(&schema), ..Outcome::value(schema) }
                }
                None => Outcome::error(format!("there is no tool `{name}`")),
            });
        }
        Some("skill_prompt") => {
            let prompt = toolkit.skill_instructions(state).await.unwrap_or_default();
            return Ok(Outcome { status: "success".into(), output: prompt, ..Outcome::default() });
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
