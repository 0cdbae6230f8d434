//! Commands of this machine.

use std::path::Path;

use agentscope_tool::backend::{Bytes, Execution, WriteOptions, Written};
use agentscope_tool_backends::LocalBackend;
use async_trait::async_trait;

use super::*;

pub(super) fn runner(directory: &Path, options: RunOptions) -> Runner {
    Runner::new(Arc::new(LocalBackend::in_directory(directory).unwrap()), options)
}

async fn run(command: &str) -> ToolResponse {
    run_for(command, 60_000).await
}

async fn run_for(command: &str, timeout: u64) -> ToolResponse {
    let runner = Runner::new(Arc::new(LocalBackend::new()), RunOptions::default());
    respond(runner.run(args(command).with_timeout(timeout), &ToolContext::default())).await
}

/// Longer than what is to be quick takes on a machine that is busy, and shorter than what it must not wait for.
const SOON: Duration = Duration::from_secs(20);

/// The number of processes with that text among their arguments, besides the shell that asks.
async fn processes(mark: &str) -> usize {
    let text = run(&format!("ps -eo args | grep -F -- {mark} | grep -v grep | grep -vc ps")).await.text();
    text.lines().next().unwrap_or_default().parse().unwrap()
}

/// Whether there come to be so many of them soon.
async fn becomes(mark: &str, count: usize) -> bool {
    let start = Instant::now();
    while processes(mark).await != count {
        if start.elapsed() > SOON {
            return false;
        }
    }
    true
}

#[tokio::test]
async fn bash_runs_its_own_syntax() {
    let response = run("a=(x y); echo ${a[1]}; [[ y == y ]] && echo yes; echo {1..3}").await;
    assert_eq!((response.text().as_str(), response.state), ("y\nyes\n1 2 3\n", ToolResultState::Success));
}

#[tokio::test]
async fn both_outputs_come_in_their_order() {
    let response = run("echo out; sleep 0.1; echo err >&2; sleep 0.1; printf 'a\\r\\nb\\377'").await;
    assert_eq!(response.text(), "out\nerr\na\nb\\xFF");
    for _ in 0..20 {
        let response = run("seq 1 30000; echo err >&2; exit 3").await;
        assert!(response.text().ends_with("29999\n30000\nerr\n[exit code 3]"), "{:?}", response.text().get(29_900..));
    }
}

#[tokio::test]
async fn output_comes_while_the_command_runs() {
    let runner = Runner::new(Arc::new(LocalBackend::new()), RunOptions::default());
    let start = Instant::now();
    let mut stream = runner.run(args("echo first; sleep 60; echo second"), &ToolContext::default());
    let chunk = stream.next().await.unwrap().unwrap();
    assert_eq!((chunk.joined_text().as_str(), chunk.is_last), ("first\n", false));
    assert!(start.elapsed() < SOON);
}

#[tokio::test]
async fn a_failure_shows_the_code_or_the_signal() {
    let response = run("sh -c 'exit $((40+2))'").await;
    assert_eq!((response.text().as_str(), response.state), ("[exit code 42]", ToolResultState::Error));
    assert_eq!(run("echo x; kill -9 $$").await.text(), "x\n[ended by signal 9, SIGKILL]");
    assert_eq!(
        run("sh -c 'kill -15 $$'; exit $?").await.text().lines().last(),
        Some("[exit code 143, which usually stands for SIGTERM]")
    );
}

#[tokio::test]
async fn input_is_at_its_end_at_once() {
    assert_eq!(run("cat; read x; echo done").await.text(), "done\n");
}

#[tokio::test]
async fn a_timeout_returns_in_time_what_came_and_ends_children_that_resist() {
    let start = Instant::now();
    let response = run_for(
        "echo before; (trap '' TERM; exec -a resists-3f1 sleep 60) & (trap '' TERM; exec -a resists-3f1 sleep 60)",
        3_000,
    )
    .await;
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(response.state, ToolResultState::Error);
    assert!(response.text().starts_with("before\n[timed out after 3000 ms"), "{}", response.text());
    assert_eq!(response.metadata["timed_out"], true);
    assert_eq!(processes("resists-3f1").await, 0);

    let start = Instant::now();
    run_for("sleep 60 & sleep 60", 500).await;
    assert!(start.elapsed() < SOON);
}

#[tokio::test]
async fn a_child_in_the_background_does_not_hold_the_result_back() {
    let start = Instant::now();
    assert_eq!(run("sleep 60 & echo started").await.text(), "started\n");
    assert!(start.elapsed() < SOON);
}

#[tokio::test]
async fn what_is_in_the_background_ends_with_the_command_unless_it_is_to_go_on() {
    let go_on = RunOptions::default().keep_background();
    for (options, left) in [(RunOptions::default(), 0), (go_on, 1)] {
        let runner = Runner::new(Arc::new(LocalBackend::new()), options.env("X", "y").env_remove("HOME"));
        let command = "(exec -a behind-5d4 sleep 60) >/dev/null 2>&1 & sleep 1; echo $X$HOME $!";
        let text = respond(runner.run(args(command), &ToolContext::default())).await.text();
        assert_eq!(processes("behind-5d4").await, left);
        run(&format!("kill {}", text.strip_prefix("y ").unwrap())).await;
    }
}

#[tokio::test]
async fn dropping_the_stream_ends_everything() {
    let runner = Runner::new(Arc::new(LocalBackend::new()), RunOptions::default());
    let command = "(exec -a dropped-8c2 sleep 600) & echo up; exec -a dropped-8c2 sleep 600";
    let mut stream = runner.run(args(command).with_timeout(600_000), &ToolContext::default());
    stream.next().await.unwrap().unwrap();
    assert!(becomes("dropped-8c2", 2).await);
    drop(stream);
    assert!(becomes("dropped-8c2", 0).await);
}

#[tokio::test]
async fn a_long_output_keeps_its_start_and_its_end() {
    let response = run("seq 1 60000; echo FINAL-ERROR >&2; exit 3").await;
    let text = response.text();
    assert!(text.starts_with("1\n2\n3\n") && text.ends_with("60000\nFINAL-ERROR\n[exit code 3]"), "{text}");
    assert!(text.contains("[output truncated: ") && text.chars().count() < 30_200);
}

#[tokio::test]
async fn a_hundred_megabytes_need_no_more_memory_than_one() {
    let before = memory_peak();
    let response = run_for("head -c 100000000 /dev/zero | tr '\\0' x", 600_000).await;
    assert_eq!(response.metadata["characters_left_out"], 100_000_000 - 30_000);
    if let (Some(before), Some(after)) = (before, memory_peak()) {
        assert!(after - before < 50_000, "{} KiB more", after - before);
    }
}

/// The most memory that this process has had, in KiB.
fn memory_peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().strip_suffix(" kB")?.parse().ok()
}

/// This machine, with variables that an attacker would like.
#[derive(Debug)]
struct Poisoned(Vec<(String, String)>);

#[async_trait]
impl Backend for Poisoned {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        let mut poisoned = Command::new(command.program()).args(command.arguments()).limits(command.output_limits());
        for (name, value) in &self.0 {
            poisoned = poisoned.env(name, value);
        }
        for (name, value) in command.env_changes() {
            poisoned = match value {
                Some(value) => poisoned.env(name, value),
                None => poisoned.env_remove(name),
            };
        }
        LocalBackend::new().exec(poisoned).await
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        LocalBackend::new().write(path, content, options).await
    }
}

#[tokio::test]
async fn variables_of_the_environment_run_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let evil = scratch.path().join("evil");
    std::fs::write(&evil, "echo EVIL\n").unwrap();
    let evil = evil.to_str().unwrap();
    let variables = [
        ("BASH_ENV", evil),
        ("ENV", evil),
        ("BASH_FUNC_id%%", "() {  echo EVIL\n}"),
        ("SHELLOPTS", "xtrace"),
        ("PS4", "$(echo EVIL >&2)"),
        ("GIT_NEW_HELPER", "EVIL"),
        ("LD_SOMETHING", "EVIL"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "alias.x"),
        ("GIT_CONFIG_VALUE_0", "!echo EVIL"),
        ("POSIXLY_CORRECT", "1"),
        ("GIT_AUTHOR_NAME", "kept"),
    ];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let runner = Runner::new(Arc::new(Poisoned(variables)), RunOptions::default());
    let response =
        respond(runner.run(args("id; git x; env; set -o | grep posix; exit 0"), &ToolContext::default())).await;
    let text = response.text();
    assert!(text.contains("uid=") && !text.contains("EVIL"), "{text}");
    assert!(text.contains("GIT_AUTHOR_NAME=kept\n") && text.contains("posix          \toff"), "{text}");
}

#[tokio::test]
async fn each_command_starts_in_the_same_directory_unless_it_is_to_be_kept() {
    let scratch = tempfile::tempdir().unwrap();
    let here = std::fs::canonicalize(scratch.path()).unwrap();
    let here = here.to_str().unwrap();
    let state = AgentState::new();
    let cx = ToolContext::builder().agent_state(&state).build();

    let fixed = runner(scratch.path(), RunOptions::default());
    respond(fixed.run(args("cd /"), &cx)).await;
    assert_eq!(respond(fixed.run(args("pwd"), &cx)).await.text(), format!("{here}\n"));

    let keeping = runner(scratch.path(), RunOptions::default().keep_cwd());
    let steps = [
        // However the shell ends, and wherever its output goes.
        ("mkdir -p 'a b/c'; cd 'a b' && pwd", "[here]/a b\n"),
        ("cd c; exit 4", "[exit code 4]"),
        ("pwd", "[here]/a b/c\n"),
        ("exec > log; cd ..; echo x", ""),
        ("pwd; cat c/log", "[here]/a b\nx\n"),
        ("(cd c); true", ""),
        ("cd c | cat", ""),
        ("# cd nowhere", ""),
        ("pwd", "[here]/a b\n"),
        ("cd c; sed s/x/y/ <<'E'\nx\nE\ncd ..; pushd c >/dev/null", "y\n"),
        ("cd .; set -e; false; echo no", "[exit code 1]"),
        ("pwd", "[here]/a b/c\n"),
        ("cd ..; rm -r c; pwd", "[here]/a b\n"),
        ("cd /no-such-directory", "bash: line 1: cd: /no-such-directory: No such file or directory\n[exit code 1]"),
        ("pwd", "[here]/a b\n"),
    ];
    for (command, expected) in steps {
        let response = respond(keeping.run(args(command), &cx)).await;
        assert_eq!(response.text().replace(here, "[here]"), expected, "{command}");
    }
    assert_eq!(crate::bash::run::cwd::kept(&state).unwrap(), format!("{here}/a b"));
}

/// This machine without bash.
#[derive(Debug)]
struct WithoutBash(LocalBackend);

#[async_trait]
impl Backend for WithoutBash {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        match command.program() {
            "bash" => Err(BackendError::new(Operation::Execute, "bash", BackendErrorKind::NotFound)),
            _ => self.0.exec(command).await,
        }
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        self.0.write(path, content, options).await
    }
}

#[tokio::test]
async fn sh_keeps_the_directory_too() {
    let runner = Runner::new(Arc::new(WithoutBash(LocalBackend::new())), RunOptions::default().keep_cwd());
    let cx = ToolContext::default();
    assert_eq!(respond(runner.run(args("echo x; cd /; exit 3"), &cx)).await.text(), "x\n[exit code 3]");
    assert_eq!(respond(runner.run(args("pwd"), &cx)).await.text(), "/\n");
}
