//! The quickstart, as a program and as a library.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use agentscope_tool::AgentState;
use agentscope_tool_examples::project::Project;
use agentscope_tool_examples::{quickstart, tools};

/// The file sizes that are printed, which change whenever somebody works on a file, replaced by `…`.
fn without_sizes(text: &str) -> String {
    let mut parts = text.split("\"bytes\":");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "\"bytes\":…" + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

#[tokio::test]
async fn the_calls_give_what_they_gave_before() {
    let toolkit = tools::toolkit(Project::this_repository().unwrap()).unwrap();
    let calls = include_bytes!("../calls.jsonl");
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    let summary = quickstart::run_calls(
        &toolkit,
        &AgentState::new().with_permissions(tools::permissions().unwrap()),
        &calls[..],
        &mut out,
        &mut errors,
    )
    .await
    .unwrap();
    assert_eq!(summary.bad_lines, 0, "{}", String::from_utf8_lossy(&errors));
    insta::assert_snapshot!(without_sizes(&String::from_utf8(out).unwrap()));
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quickstart"))
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input closes it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn it_runs_the_calls_of_the_repository_from_any_directory() {
    let output = run(&[], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    assert!(out.contains("\"name\": \"search_files\""));
    assert!(out.contains("LICENSE has 201 lines"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_bad_line_is_reported_the_others_are_run_and_the_status_says_so() {
    let input = concat!(
        "{\"id\": \"a\", \"name\": \"count_lines\", \"input\": \"{}\"}\n",
        "no call\n",
        "{\"id\": \"b\", \"name\": \"count_lines\", \"input\": {\"path\": \"LICENSE\"}}\n",
    );
    let output = run(&["--calls", "-"], input);
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(errors.starts_with("line 2 is no call: "), "{errors}");
    assert!(errors.ends_with("1 of the lines is no call\n"), "{errors}");
    assert!(text(&output.stdout).contains("LICENSE has 201 lines"));
    assert!(text(&output.stdout).ends_with("1 succeeded, 1 failed, 0 to be executed elsewhere\n"));
}

#[test]
fn a_call_that_fails_is_no_failure_of_the_program() {
    let output = run(&["--calls", "-"], "{\"id\": \"a\", \"name\": \"nothing\", \"input\": \"\"}");
    assert!(output.status.success());
    assert!(text(&output.stdout).contains("There is no tool named `nothing`"));
}

#[test]
fn an_option_that_does_not_exist_prints_the_usage() {
    let output = run(&["--call"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("usage: quickstart [--calls FILE]"));
    assert!(run(&["--help"], "").status.success());
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let output = run(&["--calls", "missing.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("the calls cannot be read: missing.jsonl: "));
    assert_eq!(text(&output.stdout), "");
}
