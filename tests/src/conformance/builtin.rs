//! Cases about the ready-made tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agentscope_tool::{AgentState, Backend, Tool, ToolCall, ToolResponse, Toolkit};
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::{Edit, Read, TaskCreate, TaskGet, TaskList, TaskUpdate, Write};
use futures_util::future::join_all;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::Outcome;
use super::fixture::Fixture;

/// The tool of that name in the fixture's directory. `checked` says whether what is written has to be read before.
pub(super) fn tool(name: &str, backend: &Arc<dyn Backend>, checked: bool) -> Option<Arc<dyn Tool>> {
    let backend = || Arc::clone(backend);
    Some(match name {
        "Read" => Arc::new(Read::on(backend())),
        "Write" if checked => Arc::new(Write::on(backend())),
        "Write" => Arc::new(Write::on(backend()).without_read_check()),
        "Edit" if checked => Arc::new(Edit::on(backend())),
        "Edit" => Arc::new(Edit::on(backend()).without_read_check()),
        "TaskCreate" => Arc::new(TaskCreate),
        "TaskGet" => Arc::new(TaskGet),
        "TaskList" => Arc::new(TaskList),
        "TaskUpdate" => Arc::new(TaskUpdate),
        _ => return None,
    })
}

/// All of them.
const NAMES: [&str; 7] = ["Read", "Write", "Edit", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate"];

pub(super) fn is_known(name: &str) -> bool {
    NAMES.contains(&name)
}

/// This machine, in the fixture's directory.
pub(super) fn backend(fixture: &Fixture) -> Result<Arc<dyn Backend>, String> {
    Ok(Arc::new(LocalBackend::in_directory(fixture.root()).map_err(|error| error.to_string())?))
}

pub(super) async fn run(name: &str, case: &Value) -> Result<Outcome, String> {
    let setup = &case["setup"];
    let fixture = Fixture::new(setup).map_err(|error| format!("the fixture cannot be made: {error}"))?;
    let fixture = Arc::new(fixture);
    let backend = backend(&fixture)?;
    let checked = !case["state"].is_null();
    let tools = NAMES.iter().filter_map(|name| tool(name, &backend, checked));
    let toolkit = Toolkit::builder().tools(tools).build().map_err(|error| error.to_string())?;
    let state = state(setup)?;

    for read in case["state"]["read"].as_array().into_iter().flatten() {
        let input = match fixture.filled(read) {
            Value::String(path) => json!({ "file_path": fixture.path(&path) }),
            input => input,
        };
        toolkit.call_unchecked(ToolCall::from_value("read", "Read", &input), &state).await;
    }
    for change in case["state"]["after_read"].as_array().into_iter().flatten() {
        fixture.interfere(change).map_err(|error| format!("the fixture cannot be changed: {error}"))?;
    }

    let before = fixture.content();
    let started = Instant::now();
    let limit = Duration::from_secs_f64(case["timeout"].as_f64().unwrap_or(60.0));
    let responses = {
        let _limit = FileSizeLimit::new(&setup["rlimit_fsize"])?;
        let calls = calls(name, case, &fixture, &toolkit, &state);
        tokio::time::timeout(limit, calls).await.map_err(|_| "the call takes too long".to_owned())?
    };
    let elapsed = started.elapsed().as_secs_f64();
    Ok(outcome(&responses, &fixture, &before, &state, setup, elapsed))
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

fn outcome(
    responses: &[ToolResponse],
    fixture: &Arc<Fixture>,
    before: &BTreeMap<PathBuf, Vec<u8>>,
    state: &AgentState,
    setup: &Value,
    elapsed: f64,
) -> Outcome {
    let join = |parts: Vec<String>, separator: &str| parts.join(separator);
    let each = |part: fn(&ToolResponse) -> String| responses.iter().map(part).collect::<Vec<_>>();
    let base = responses.last().map(Outcome::from).unwrap_or_default();
    let probe = setup["probe"]["sh"].as_str().map(|_| probe(fixture, &setup["probe"]));
    Outcome {
        status: join(each(|response| response.state.to_string()), "+"),
        output: fixture.emptied(&join(each(ToolResponse::text), " || ")),
        metadata: base.metadata.as_ref().map(|metadata| emptied(metadata, fixture)),
        changed: Some(changed(before, fixture)),
        probe,
        tasks: Some(state.read(|record| serde_json::to_value(&record.tasks_context.tasks).unwrap_or_default())),
        fixture: Some(Arc::clone(fixture)),
        elapsed,
        ..base
    }
}

fn emptied(value: &Value, fixture: &Fixture) -> Value {
    match value {
        Value::String(text) => fixture.emptied(text).into(),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), emptied(value, fixture)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// The files that are not as they were.
pub(super) fn changed(before: &BTreeMap<PathBuf, Vec<u8>>, fixture: &Fixture) -> Vec<String> {
    let after = fixture.content();
    let changed = before.iter().filter(|(path, content)| after.get(*path) != Some(*content));
    changed.map(|(path, _)| path.display().to_string()).collect()
}

/// What a command sees afterwards.
pub(super) fn probe(fixture: &Fixture, probe: &Value) -> String {
    std::thread::sleep(Duration::from_secs_f64(probe["wait"].as_f64().unwrap_or_default()));
    let script = fixture.filled(&probe["sh"]);
    let output = Command::new("sh").arg("-c").arg(script.as_str().unwrap_or_default()).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

/// The state with the tasks of a case.
fn state(setup: &Value) -> Result<AgentState, String> {
    let state = AgentState::new();
    if let Some(tasks) = setup["tasks"].as_array() {
        let tasks = serde_json::from_value(tasks.clone().into()).map_err(|error| error.to_string())?;
        state.update(|record| record.tasks_context.tasks = tasks);
    }
    Ok(state)
}

/// While it lives, no file grows larger than a case allows.
struct FileSizeLimit(Option<Rlimit>);

impl FileSizeLimit {
    fn new(limit: &Value) -> Result<Self, String> {
        let Some(bytes) = limit.as_u64() else { return Ok(Self(None)) };
        // Who goes past the limit is told by a signal, which would end this process.
        let _ =
            signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw())).map_err(|error| error.to_string())?;
        let before = getrlimit(Resource::Fsize);
        setrlimit(Resource::Fsize, Rlimit { current: Some(bytes), maximum: before.maximum })
            .map_err(|error| error.to_string())?;
        Ok(Self(Some(before)))
    }
}

impl Drop for FileSizeLimit {
    fn drop(&mut self) {
        if let Some(before) = self.0.take() {
            let _ = setrlimit(Resource::Fsize, before);
        }
    }
}
