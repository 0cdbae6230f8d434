//! Cases about the ready-made tools.

mod size_limit;
mod state;
mod tools;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agentscope_tool::{AgentState, Backend, ToolCall, ToolResponse, Toolkit};
use agentscope_tool_backends::LocalBackend;
use futures_util::future::join_all;
use serde_json::Value;

use super::fixture::Fixture;
use super::{Outcome, Verdict, time_limit};
use size_limit::SizeLimit;

pub(super) use tools::{is_known, tool};

/// This machine, in the fixture's directory.
pub(super) fn backend(fixture: &Fixture) -> Result<Arc<dyn Backend>, Verdict> {
    let backend = LocalBackend::in_directory(fixture.root());
    Ok(Arc::new(backend.map_err(|error| Verdict::Failed(format!("there is no backend: {error}")))?))
}

pub(super) async fn run(name: &str, case: &Value, fixture: Fixture) -> Result<Outcome, Verdict> {
    let setup = &case["setup"];
    let fixture = Arc::new(fixture);
    let backend = backend(&fixture)?;
    let tools = tools::all(&backend, !case["state"].is_null());
    let toolkit = Toolkit::builder().tools(tools).build();
    let toolkit = toolkit.map_err(|error| Verdict::Failed(format!("there is no toolkit: {error}")))?;
    let state = state::new(setup)?;
    state::prepare(&case["state"], &fixture, &toolkit, &state).await?;

    let before = fixture.content();
    let started = Instant::now();
    let responses = {
        let limit = SizeLimit::new(&setup["rlimit_fsize"]);
        let _limit = limit.map_err(|error| Verdict::Skipped(format!("files cannot be kept small: {error}")))?;
        let calls = calls(name, case, &fixture, &toolkit, &state);
        let calls = tokio::time::timeout(time_limit(case), calls).await;
        calls.map_err(|_| Verdict::Failed("the call does not end in time".into()))?
    };
    let elapsed = started.elapsed().as_secs_f64();
    let tasks = state.read(|record| serde_json::to_value(&record.tasks_context.tasks).unwrap_or_default());
    Ok(Outcome {
        changed: Some(changed(&before, &fixture)),
        probe: probe(&fixture, case),
        tasks: Some(tasks),
        elapsed,
        ..joined(&responses, &fixture)
    })
}

async fn calls(
    name: &str,
    case: &Value,
    fixture: &Fixture,
    toolkit: &Toolkit,
    state: &AgentState,
) -> Vec<ToolResponse> {
    let call = &case["call"];
    let one = |call: &Value| {
        let call = fixture.filled(call);
        // A call among others names its tool; one alone is the input.
        let (name, input) = match (call["tool"].as_str(), call.get("input")) {
            (Some(tool), Some(input)) => (tool.to_owned(), input.clone()),
            _ => (name.to_owned(), call.clone()),
        };
        let text = input["raw_json"].as_str().map_or_else(|| input.to_string(), str::to_owned);
        toolkit.call_unchecked(ToolCall::new("call", name, text), state)
    };
    if let Some(parallel) = call["parallel"].as_array().or_else(|| case["parallel"].as_array()) {
        return join_all(parallel.iter().map(|call| one(call).response())).await;
    }
    match call {
        Value::Array(calls) => {
            let mut last = Vec::new();
            for call in calls {
                last = vec![one(call).await];
            }
            last
        }
        call => vec![one(call).await],
    }
}

/// What the model sees of calls that ran together.
fn joined(responses: &[ToolResponse], fixture: &Arc<Fixture>) -> Outcome {
    let each = |part: fn(&ToolResponse) -> String| responses.iter().map(part).collect::<Vec<_>>();
    let last = responses.last().map(Outcome::from).unwrap_or_default();
    Outcome {
        status: each(|response| response.state.to_string()).join("+"),
        output: fixture.emptied(&each(ToolResponse::text).join(" || ")),
        metadata: last.metadata.as_ref().map(|metadata| fixture.emptied_value(metadata)),
        blocks: last.blocks.as_ref().map(|blocks| fixture.emptied_value(blocks)),
        fixture: Some(Arc::clone(fixture)),
        ..last
    }
}

/// The files that are not as they were, and those that a write should have removed.
pub(super) fn changed(before: &BTreeMap<PathBuf, Vec<u8>>, fixture: &Fixture) -> Vec<String> {
    let after = fixture.content();
    let changed = before.iter().filter(|(path, content)| after.get(*path) != Some(*content));
    changed.map(|(path, _)| path.display().to_string()).chain(fixture.leftovers()).collect()
}

/// What a command sees afterwards, if the case has one.
pub(super) fn probe(fixture: &Fixture, case: &Value) -> Option<String> {
    let probe = if case["setup"]["probe"].is_null() { &case["probe"] } else { &case["setup"]["probe"] };
    let script = fixture.filled(&probe["sh"]);
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script.as_str()?).current_dir(fixture.root());
    std::thread::sleep(Duration::from_secs_f64(probe["wait"].as_f64().unwrap_or_default()));
    shell.output().ok().map(|output| fixture.emptied(String::from_utf8_lossy(&output.stdout).trim()))
}
