//! Commands in an environment whose programs are a function of the test.

#[cfg(all(feature = "local", unix))]
mod git;
#[cfg(all(feature = "local", unix))]
mod local;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentscope_tool::backend::{BackendError, Command, ExecStatus, Operation};
use agentscope_tool::testing::{ExecReply, MemoryBackend};
use agentscope_tool::{ToolChunk, ToolResponse, ToolResultState};
use futures_util::StreamExt;

use super::*;

pub(super) fn args(command: &str) -> BashArgs {
    BashArgs::new(command).with_timeout(60_000)
}

/// The whole result of a call, as an agent gets it.
pub(super) async fn respond(mut stream: ToolStream) -> ToolResponse {
    let mut response = ToolResponse::new("call");
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.unwrap_or_else(|error| ToolChunk::error(error.agent_message()));
        response.append_chunk(chunk).unwrap();
    }
    response
}

fn memory(answer: impl Fn(&Command) -> Result<ExecReply, BackendError> + Send + Sync + 'static) -> Arc<dyn Backend> {
    Arc::new(MemoryBackend::new().on_exec(move |command| {
        let asked = command.arguments().last().is_some_and(|text| text.contains("; env "));
        if asked && command.program() == "bash" { Ok(ExecReply::success("bash\n")) } else { answer(command) }
    }))
}

async fn shown(backend: &Arc<dyn Backend>, options: RunOptions) -> ToolResponse {
    respond(Runner::new(Arc::clone(backend), options).run(args("make"), &ToolContext::default())).await
}

fn reply(stdout: &'static [u8], stderr: &'static [u8], status: ExecStatus) -> ExecReply {
    ExecReply { stdout: stdout.into(), stderr: stderr.into(), status }
}

#[tokio::test]
async fn the_shell_is_started_without_files_of_its_own_and_with_clean_variables() {
    let seen = Arc::new(Mutex::new(None));
    let sink = Arc::clone(&seen);
    let backend = memory(move |command| {
        *sink.lock().unwrap() = Some(command.clone());
        Ok(ExecReply::success("out"))
    });
    let response = shown(&backend, RunOptions::default().cwd("/srv").env("TZ", "UTC")).await;
    assert_eq!((response.text().as_str(), response.state), ("out", ToolResultState::Success));
    assert_eq!(response.metadata["exit_code"], 0);

    let command = seen.lock().unwrap().clone().unwrap();
    assert_eq!(command.argv().collect::<Vec<_>>(), ["bash", "--noprofile", "--norc", "-c", "exec 2>&1; make"]);
    assert_eq!(command.current_dir(), Some("/srv"));
    assert_eq!(command.time_limit(), Some(Duration::from_secs(60)));
    let changes: Vec<_> = command.env_changes().collect();
    assert!(changes.contains(&("BASH_ENV", None)) && changes.contains(&("TZ", Some("UTC"))));
}

#[tokio::test]
async fn an_environment_without_bash_is_asked_once_and_uses_sh() {
    for missing_is_an_error in [true, false] {
        let asked = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&asked);
        let backend = MemoryBackend::new().on_exec(move |command| match command.program() {
            "bash" if missing_is_an_error => {
                Err(BackendError::new(Operation::Execute, "bash", BackendErrorKind::NotFound))
            }
            "bash" => Ok(ExecReply::failure(127, "no bash")),
            "sh" if command.arguments()[1] == "exec 2>&1; make" => Ok(ExecReply::success("made")),
            program => {
                count.fetch_add(1, Ordering::Relaxed);
                assert_eq!(program, "sh");
                Ok(ExecReply::success("\nPATH=/bin\nLD_X=1\n"))
            }
        });
        let runner = Runner::new(Arc::new(backend), RunOptions::default());
        for _ in 0..2 {
            assert_eq!(runner.shell().await.unwrap(), Shell::Posix);
            assert_eq!(respond(runner.run(args("make"), &ToolContext::default())).await.text(), "made");
        }
        assert_eq!(runner.found().await.unwrap().unwanted, ["LD_X"]);
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }
}

#[tokio::test]
async fn an_environment_that_cannot_be_asked_says_why_and_is_asked_again() {
    let tries = AtomicUsize::new(0);
    let backend = MemoryBackend::new().on_exec(move |_| match tries.fetch_add(1, Ordering::Relaxed) {
        0 => Err(BackendError::other(Operation::Execute, "bash", "the container is paused")),
        1 | 2 => Ok(ExecReply::failure(127, "")),
        3 => Ok(ExecReply { stdout: "".into(), stderr: "".into(), status: ExecStatus::Signaled(9) }),
        _ => Ok(ExecReply::success("bash\n")),
    });
    let runner = Runner::new(Arc::new(backend), RunOptions::default());
    let mut errors = Vec::new();
    for _ in 0..3 {
        errors.push(runner.shell().await.unwrap_err().agent_message().into_owned());
    }
    insta::assert_snapshot!(errors.join("\n"));
    assert_eq!(runner.shell().await.unwrap(), Shell::Bash);
    let without = Runner::new(Arc::new(MemoryBackend::new()), RunOptions::default());
    assert!(without.shell().await.unwrap_err().agent_message().contains("has no programs"));
}

#[tokio::test]
async fn what_the_agent_reads() {
    let ends = [
        reply(b"a\r\nb", b"warn\n", ExecStatus::Exited(0)),
        reply(b"", b"", ExecStatus::Exited(0)),
        reply(b"a", b"b", ExecStatus::Exited(3)),
        reply(b"", b"bash: line 1: x: command not found\n", ExecStatus::Exited(127)),
        reply(b"", b"", ExecStatus::Exited(1)),
        reply(b"half", b"", ExecStatus::Exited(143)),
        reply(b"", b"", ExecStatus::Signaled(9)),
        reply(b"so far\n", b"", ExecStatus::TimedOut),
        reply(b"bad \xFF\xE2\x82", b"", ExecStatus::Exited(0)),
        reply(b"end\r", b"bad \xE2\x82", ExecStatus::Exited(0)),
        reply(b"0123456789abcdefghijk", b"lm", ExecStatus::Exited(2)),
    ];
    let mut texts = Vec::new();
    for end in ends {
        let backend = memory(move |_| Ok(end.clone()));
        let response = shown(&backend, RunOptions::default().output_limit(20)).await;
        let mut facts = response.metadata.clone();
        facts.remove("elapsed_ms");
        texts.push(format!("{} {}\n{}", response.state, serde_json::Value::Object(facts), response.text()));
    }
    insta::assert_snapshot!(texts.join("\n---\n"));
}

#[tokio::test]
async fn a_time_of_zero_is_the_default() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let backend = memory(move |command| {
        sink.lock().unwrap().push(command.time_limit().unwrap_or_default().as_secs());
        Ok(ExecReply::success(""))
    });
    let runner = Runner::new(backend, RunOptions::default());
    for timeout in [0, 2_000, u64::MAX] {
        respond(runner.run(args("make").with_timeout(timeout), &ToolContext::default())).await;
    }
    assert_eq!(*seen.lock().unwrap(), [120, 2, 600]);
}

#[tokio::test]
async fn a_directory_that_is_gone_runs_nothing_and_is_forgotten() {
    let backend = memory(|command| match command.current_dir() {
        Some("/gone") => Err(BackendError::new(Operation::Execute, "/gone", BackendErrorKind::NotFound)),
        other => Ok(ExecReply::success(format!("{other:?}"))),
    });
    let state = AgentState::new();
    cwd::keep(&state, "/gone");
    let cx = ToolContext::builder().agent_state(&state).build();
    let runner = Runner::new(Arc::clone(&backend), RunOptions::default().keep_cwd());
    assert_eq!(runner.fixed_cwd().await, None);

    let response = respond(runner.run(args("make"), &cx)).await;
    assert_eq!(response.state, ToolResultState::Error);
    insta::assert_snapshot!(response.text());
    assert_eq!(respond(runner.run(args("make"), &cx)).await.text(), "None");
    assert_eq!(cwd::kept(&state), None);

    cwd::keep(&state, "/elsewhere");
    let fixed = Runner::new(backend, RunOptions::default().cwd("w"));
    assert_eq!(fixed.fixed_cwd().await.unwrap(), "/home/user/w");
    assert_eq!(respond(fixed.run(args("make"), &cx)).await.text(), "Some(\"w\")");
}
