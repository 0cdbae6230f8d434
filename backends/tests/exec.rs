//! Programs of this machine: their output, their end, and that nothing of them is left.

#![cfg(all(feature = "local", unix))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "these are tests")]

use std::time::{Duration, Instant};

use agentscope_tool::Backend;
use agentscope_tool::backend::{
    BackendError, BackendErrorKind, Command, ExecEvent, ExecOutput, ExecStatus, Operation, OutputLimits,
};
use agentscope_tool_backends::LocalBackend;
use futures_util::StreamExt;
use tokio::time::sleep;

fn sh(script: &str) -> Command {
    Command::new("sh").args(["-c", script])
}

async fn run(command: Command) -> ExecOutput {
    LocalBackend::new().exec(command).await.unwrap().output().await.unwrap()
}

async fn refused(command: Command) -> BackendError {
    match LocalBackend::new().exec(command).await {
        Ok(execution) => panic!("{execution:?}"),
        Err(error) => error,
    }
}

/// Whether a process runs; one that has ended and was not yet taken notice of does not.
fn runs(pid: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())) {
        Ok(stat) => !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'),
        Err(_) if cfg!(target_os = "linux") => false,
        Err(_) => std::process::Command::new("kill").args(["-0", pid.trim()]).status().unwrap().success(),
    }
}

async fn ends_soon(pid: &str) {
    for _ in 0..200 {
        if !runs(pid) {
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("process {pid} still runs");
}

#[tokio::test]
async fn output_is_streamed_as_it_comes_and_in_order() {
    let started = Instant::now();
    let script = "echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three; sleep 0.2";
    let mut execution = LocalBackend::new().exec(sh(script)).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = execution.next().await {
        events.push((event.unwrap(), started.elapsed()));
    }
    let (what, when): (Vec<_>, Vec<_>) = events.into_iter().unzip();
    assert_eq!(
        what,
        [
            ExecEvent::Stdout("one\n".into()),
            ExecEvent::Stderr("two\n".into()),
            ExecEvent::Stdout("three\n".into()),
            ExecEvent::Exit(ExecStatus::Exited(0)),
        ]
    );
    // Not all at the end: on a busy machine some of the 0.6 s may be lost before the first is seen.
    assert!(when[3] - when[0] >= Duration::from_millis(100), "{when:?}");
    let output = execution.output().await.unwrap();
    assert_eq!((&*output.stdout.to_text(), &*output.stderr.to_text()), ("one\nthree\n", "two\n"));
    assert!(output.elapsed >= Duration::from_millis(600) && output.elapsed <= started.elapsed(), "{output:?}");
}

#[tokio::test]
async fn start_and_end_of_long_output_are_kept_and_the_rest_is_counted() {
    let limits = OutputLimits { head: 10, tail: 20 };
    let output = run(Command::new("seq").args(["1", "100000"]).limits(limits)).await;
    assert_eq!(output.stdout.head(), b"1\n2\n3\n4\n5\n");
    assert_eq!(output.stdout.tail(), b"\n99998\n99999\n100000\n");
    assert!(output.stdout.to_text().ends_with("\n99999\n100000\n"), "{}", output.stdout.to_text());
    assert_eq!(output.stdout.total(), 588_895);
    assert_eq!(output.stdout.cut(), 588_895 - 30);
}

#[tokio::test]
async fn a_hundred_megabytes_need_no_memory() {
    let before = peak();
    let script = "head -c 104857600 /dev/zero | tr '\\0' a; printf end";
    let output = run(sh(script).limits(OutputLimits { head: 1_000, tail: 1_000 })).await;
    assert_eq!(output.stdout.total(), 104_857_603);
    assert!(output.stdout.tail().ends_with(b"aaaend"));
    if let (Some(before), Some(after)) = (before, peak()) {
        assert!(after - before < 8 * 1024, "{before} KiB before, {after} KiB at most");
    }
}

/// The most memory that this process ever needed, in KiB.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
}

#[tokio::test]
async fn code_signal_and_timeout_are_told_apart() {
    assert_eq!(run(sh("exit 7")).await.status, ExecStatus::Exited(7));
    assert_eq!(run(sh("kill -9 $$")).await.status, ExecStatus::Signaled(9));
    let timed_out = run(sh("echo before; sleep 30").timeout(Duration::from_millis(300))).await;
    assert_eq!(timed_out.status, ExecStatus::TimedOut);
    assert_eq!(timed_out.stdout.to_text(), "before\n");
    assert!(timed_out.elapsed < Duration::from_secs(6), "{timed_out:?}");
    // One that ends by itself when it is asked to has timed out all the same.
    let polite = run(sh("trap 'echo bye; exit 0' TERM; sleep 30 & wait").timeout(Duration::from_millis(300))).await;
    assert_eq!((polite.status, &*polite.stdout.to_text()), (ExecStatus::TimedOut, "bye\n"));
    let at_once = run(sh("sleep 30").timeout(Duration::ZERO)).await;
    assert_eq!(at_once.status, ExecStatus::TimedOut);
}

#[tokio::test]
async fn grandchildren_that_ignore_the_request_are_killed_in_time() {
    let script = "(trap '' TERM; echo $BASHPID; sh -c 'echo $$; sleep 30; sleep 30') & sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done'";
    let output = run(sh(script).timeout(Duration::from_millis(300))).await;
    assert_eq!(output.status, ExecStatus::TimedOut);
    assert!(output.elapsed < Duration::from_secs(6), "{:?}", output.elapsed);
    let pids = output.stdout.to_text().into_owned();
    assert!(pids.split_whitespace().count() >= 2, "{pids}");
    for pid in pids.split_whitespace() {
        assert!(!runs(pid), "{pid} of {pids}");
    }
}

#[tokio::test]
async fn a_process_in_a_session_of_its_own_does_not_delay_the_end() {
    if std::process::Command::new("setsid").arg("true").status().is_err() {
        eprintln!("skipped: there is no program `setsid`");
        return;
    }
    let output = run(sh("setsid sleep 5 & echo started; sleep 30").timeout(Duration::from_millis(300))).await;
    assert!(output.elapsed < Duration::from_secs(4), "{output:?}");
    assert_eq!(output.stdout.to_text(), "started\n");
    let output = run(sh("setsid sh -c 'while echo noise; do :; done' & sleep 0.1")).await;
    assert!(output.elapsed < Duration::from_secs(4), "{:?}", output.elapsed);
}

#[tokio::test]
async fn what_is_left_in_the_background_is_ended_unless_it_is_to_be_kept() {
    let output = run(sh("sleep 30 & echo $!")).await;
    assert_eq!(output.status, ExecStatus::Exited(0));
    assert!(output.elapsed < Duration::from_secs(6), "{output:?}");
    ends_soon(&output.stdout.to_text()).await;

    let output = run(sh("sleep 30 >/dev/null 2>&1 & echo $!")).await;
    ends_soon(&output.stdout.to_text()).await;

    let output = run(sh("sleep 30 & echo $!").keep_background()).await;
    assert!(output.elapsed < Duration::from_secs(6), "{output:?}");
    sleep(Duration::from_millis(700)).await;
    let pid = output.stdout.to_text().trim().to_owned();
    assert!(runs(&pid));
    std::process::Command::new("kill").arg(&pid).status().unwrap();
}

#[tokio::test]
async fn last_words_of_what_was_started_in_the_background_are_heard() {
    let output = run(sh("(sleep 0.1; echo late) & echo early")).await;
    assert_eq!(output.stdout.to_text(), "early\nlate\n");
}

#[tokio::test]
async fn dropping_an_execution_ends_the_group() {
    for script in ["echo $$; sleep 30 & wait", "trap '' TERM; sh -c 'echo $$; trap \"\" TERM; sleep 30; sleep 30'"] {
        let mut execution = LocalBackend::new().exec(sh(script)).await.unwrap();
        let Some(Ok(ExecEvent::Stdout(pid))) = execution.next().await else { panic!("no output") };
        let pid = String::from_utf8(pid.to_vec()).unwrap();
        assert!(runs(&pid));
        drop(execution);
        ends_soon(&pid).await;
    }
}

#[test]
fn dropping_an_execution_ends_the_group_even_if_the_runtime_sleeps() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (execution, pid) = runtime.block_on(async {
        let mut execution = LocalBackend::new().exec(sh("echo $$; exec sleep 30")).await.unwrap();
        let Some(Ok(ExecEvent::Stdout(pid))) = execution.next().await else { panic!("no output") };
        (execution, String::from_utf8(pid.to_vec()).unwrap())
    });
    drop(execution);
    for _ in 0..100 {
        if !runs(&pid) {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it still runs");
}

#[test]
fn a_runtime_that_ends_takes_its_programs_with_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (execution, pid) = runtime.block_on(async {
        let mut execution =
            LocalBackend::new().exec(sh("trap '' TERM; echo $$; while :; do sleep 1; done")).await.unwrap();
        let Some(Ok(ExecEvent::Stdout(pid))) = execution.next().await else { panic!("no output") };
        (execution, String::from_utf8(pid.to_vec()).unwrap())
    });
    assert!(runs(&pid));
    drop(runtime);
    for _ in 0..100 {
        if !runs(&pid) {
            return drop(execution);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it still runs");
}

#[tokio::test]
async fn a_call_that_is_cancelled_while_the_program_starts_leaves_nothing() {
    let scratch = tempfile::tempdir().unwrap();
    let backend = LocalBackend::in_directory(scratch.path()).unwrap();
    for _ in 0..20 {
        let exec = backend.exec(sh("echo $$ >> started; sleep 30"));
        let _ = tokio::time::timeout(Duration::from_micros(200), exec).await;
    }
    sleep(Duration::from_millis(800)).await;
    for pid in std::fs::read_to_string(scratch.path().join("started")).unwrap_or_default().lines() {
        ends_soon(pid).await;
    }
}

#[tokio::test]
async fn whoever_reads_slowly_loses_nothing() {
    let script = sh("seq 1 400000; echo end >&2");
    for command in [script.clone(), script.keep_background()] {
        let mut execution = LocalBackend::new().exec(command).await.unwrap();
        let (mut total, mut pieces) = (0, 0);
        while let Some(event) = execution.next().await {
            if let ExecEvent::Stdout(bytes) = event.unwrap() {
                total += bytes.len();
                pieces += 1;
                sleep(Duration::from_millis(if pieces < 60 { 20 } else { 0 })).await;
            }
        }
        assert_eq!(total, 2_688_895);
        assert_eq!(execution.stderr().to_text(), "end\n");
    }
}

#[tokio::test]
async fn a_timeout_holds_for_whoever_does_not_read() {
    let mut execution = LocalBackend::new().exec(sh("echo $$; yes").timeout(Duration::from_millis(300))).await.unwrap();
    let Some(Ok(ExecEvent::Stdout(first))) = execution.next().await else { panic!("no output") };
    let pid = String::from_utf8_lossy(&first).lines().next().unwrap().to_owned();
    sleep(Duration::from_millis(1_200)).await;
    assert!(!runs(&pid));
    let output = execution.output().await.unwrap();
    assert_eq!(output.status, ExecStatus::TimedOut);
}

#[tokio::test]
async fn bytes_that_are_not_text_stay_as_they_are() {
    let output = run(sh(r"printf '\377\000\376'")).await;
    assert_eq!(output.stdout.head(), b"\xFF\x00\xFE");
    assert_eq!(output.stdout.to_text(), "\u{FFFD}\0\u{FFFD}");
}

#[tokio::test]
async fn there_is_no_input_and_no_terminal() {
    let output = run(sh("cat; echo done; (: < /dev/tty) 2>/dev/null && echo terminal; true")).await;
    assert_eq!(output.stdout.to_text(), "done\n");
}

#[test]
fn the_terminal_of_this_process_is_out_of_reach() {
    const NAME: &str = "the_terminal_of_this_process_is_out_of_reach";
    if std::env::var_os("AGENTSCOPE_TEST_TERMINAL").is_some() {
        assert!(std::fs::File::open("/dev/tty").is_ok(), "there is no terminal to be kept from");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let script = "(echo secret? > /dev/tty) 2>/dev/null && echo wrote; (: < /dev/tty) 2>/dev/null && echo read; sleep 30 & echo $!";
        let output = runtime.block_on(run(sh(script)));
        let pid = output.stdout.to_text().trim().to_owned();
        assert!(pid.parse::<u32>().is_ok() && !runs(&pid), "{pid}");
        return;
    }
    let program = std::env::current_exe().unwrap();
    let command = format!("'{}' --exact {NAME} --nocapture", program.display());
    let output = std::process::Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .env("AGENTSCOPE_TEST_TERMINAL", "1")
        .stdin(std::process::Stdio::null())
        .output();
    match output {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => eprintln!("skipped: no terminal can be made with `script`: {error}"),
    }
}

#[tokio::test]
async fn directory_and_variables_are_as_asked() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("sub")).unwrap();
    let backend = LocalBackend::in_directory(scratch.path()).unwrap();
    let there = |command: Command| async { backend.exec(command).await.unwrap().output().await.unwrap() };

    let output = there(Command::new("pwd").cwd("sub").env_remove("PWD")).await;
    assert_eq!(output.stdout.to_text().trim_end(), root.join("sub").to_str().unwrap());
    let output = there(Command::new("pwd")).await;
    assert_eq!(output.stdout.to_text().trim_end(), root.to_str().unwrap());

    let output =
        there(sh("echo $A $B ${HOME-none}").env("A", "1").env("B", "2").env_remove("B").env_remove("HOME")).await;
    assert_eq!(output.stdout.to_text(), "1 none\n");
    let output = there(Command::new("/usr/bin/env").env("LOST", "1").env_clear().env("KEPT", "2")).await;
    assert_eq!(output.stdout.to_text(), "KEPT=2\n");
}

#[tokio::test]
async fn what_cannot_be_started_is_an_error_that_says_why() {
    let error = refused(Command::new("no-such-program-anywhere")).await;
    assert_eq!((error.kind(), error.operation()), (BackendErrorKind::NotFound, Operation::Execute));
    assert_eq!(error.to_string(), "cannot run `no-such-program-anywhere`: there is no such program");

    let error = refused(Command::new("true").cwd("/no/such/directory")).await;
    assert_eq!((error.kind(), error.path()), (BackendErrorKind::NotFound, "/no/such/directory"));
    let error = refused(Command::new("true").cwd("/etc/passwd")).await;
    assert_eq!((error.kind(), error.path()), (BackendErrorKind::NotADirectory, "/etc/passwd"));
    assert_eq!(refused(Command::new("true").cwd("")).await.kind(), BackendErrorKind::NotFound);

    assert_eq!(refused(Command::new("/etc/passwd")).await.kind(), BackendErrorKind::PermissionDenied);
    assert_eq!(refused(Command::new("")).await.kind(), BackendErrorKind::NotFound);
    assert_eq!(refused(Command::new("echo").arg("a\0b")).await.kind(), BackendErrorKind::InvalidInput);
    assert_eq!(refused(Command::new("true").env("A=B", "1")).await.kind(), BackendErrorKind::InvalidInput);
    assert_eq!(refused(Command::new("true").env("A", "1\0")).await.kind(), BackendErrorKind::InvalidInput);
    assert_eq!(refused(Command::new("echo").arg("x".repeat(4 << 20))).await.kind(), BackendErrorKind::TooLarge);
}

#[tokio::test]
async fn a_script_that_was_just_written_runs_where_its_path_starts() {
    use agentscope_tool::backend::WriteOptions;

    let scratch = tempfile::tempdir().unwrap();
    let backend = LocalBackend::in_directory(scratch.path()).unwrap();
    let script = "#!/bin/sh\necho ran\n";
    backend.write("bin/tool", script.into(), WriteOptions::new().mode(0o755)).await.unwrap();
    let output = backend.exec(Command::new("./tool").cwd("bin")).await.unwrap().output().await.unwrap();
    assert_eq!(output.stdout.to_text(), "ran\n");

    backend.write("bin/broken", "#!/no/such/interpreter\n".into(), WriteOptions::new().mode(0o755)).await.unwrap();
    let error = backend.exec(Command::new("bin/broken")).await.unwrap_err();
    assert!(error.to_string().contains("first line"), "{error}");
}

#[test]
fn without_a_runtime_programs_are_refused() {
    let error = futures_util::FutureExt::now_or_never(LocalBackend::new().exec(Command::new("true")));
    assert_eq!(error.unwrap().unwrap_err().kind(), BackendErrorKind::Unsupported);
}
