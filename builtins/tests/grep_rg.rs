//! How Grep calls `rg` in an environment that is not this machine, and what it makes of the answers.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{Arc, Mutex};

use agentscope_tool::backend::Command;
use agentscope_tool::prelude::*;
use agentscope_tool::testing::{self, ExecReply, MemoryBackend};
use agentscope_tool_builtins::Grep;
use serde_json::{Value, json};

/// The response, and the commands that were run.
async fn grep(
    call: Value,
    reply: impl Fn() -> ExecReply + Send + Sync + 'static,
) -> (ToolResultState, String, Vec<Command>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let commands = Arc::clone(&seen);
    let backend = MemoryBackend::new().file("/w/a.txt", "").in_directory("/w").on_exec(move |command| {
        commands.lock().unwrap().push(command.clone());
        Ok(reply())
    });
    let response = testing::call(Grep::on(Arc::new(backend)), call).await;
    let commands = std::mem::take(&mut *seen.lock().unwrap());
    (response.state, response.text(), commands)
}

#[tokio::test]
async fn the_command_says_all_that_a_configuration_could_change() {
    let mut shown = Vec::new();
    for call in [
        json!({ "pattern": "--pre=x" }),
        json!({ "pattern": "x", "output_mode": "count", "i": true, "glob": "*.rs,!b", "type": "rust" }),
        json!({ "pattern": "x", "output_mode": "content", "path": "/w/a.txt", "multiline": true, "context": 2 }),
    ] {
        let (_, _, commands) = grep(call, || ExecReply::failure(1, "")).await;
        let [command] = &commands[..] else { panic!("{commands:?}") };
        let argv: Vec<_> = command.argv().collect();
        shown.push(format!("in {}: {}", command.current_dir().unwrap(), argv.join(" ")));
        let changes: Vec<_> = command.env_changes().collect();
        assert_eq!(changes, [("RIPGREP_CONFIG_PATH", None)]);
        assert!(command.time_limit().unwrap().as_secs() >= 29);
    }
    insta::assert_snapshot!(shown.join("\n"));
}

#[tokio::test]
async fn paths_and_counts_are_put_into_one_form() {
    let (_, text, _) = grep(json!({ "pattern": "x" }), || ExecReply::success("./a\0./b\nc\0")).await;
    assert_eq!(text, "/w/a\n/w/b\\nc");
    let call = json!({ "pattern": "x", "output_mode": "count" });
    let (_, text, _) = grep(call, || ExecReply::success("./a\x003\n./b\nc\x001\n")).await;
    assert_eq!(text, "/w/a:3\n/w/b\\nc:1");
}

#[tokio::test]
async fn events_become_lines() {
    let events = concat!(
        r#"{"type":"begin","data":{"path":{"text":"./a"}}}"#,
        "\n",
        r#"{"type":"context","data":{"path":{"text":"./a"},"lines":{"text":"one\r\n"},"line_number":1,"submatches":[]}}"#,
        "\n",
        r#"{"type":"match","data":{"path":{"text":"./a"},"lines":{"bytes":"Y2Fm6Qo="},"line_number":2,"submatches":[]}}"#,
        "\n",
        r#"{"type":"end","data":{"path":{"text":"./a"},"binary_offset":9,"stats":{}}}"#,
        "\n",
        "no event\n",
        r#"{"type":"begin","data":{"path":{"bytes":"Li9i/w=="}}}"#,
        "\n",
        r#"{"type":"match","data":{"path":{"bytes":"Li9i/w=="},"lines":{"text":"café"},"line_number":7,"submatches":[]}}"#,
        "\n",
        r#"{"type":"summary","data":{}}"#,
        "\n",
    );
    let call = json!({ "pattern": "caf", "output_mode": "content", "-B": 1 });
    let (_, text, _) = grep(call, move || ExecReply::success(events)).await;
    insta::assert_snapshot!(text, @r"
    /w/a-1-one
    /w/a:2:caf\xE9
    --
    /w/b\xFF:7:café

    [`/w/a` is binary (a NUL byte is at offset 9) and was searched only in part]
    ");
}

#[tokio::test]
async fn what_it_could_not_read_is_a_note_and_other_complaints_are_an_error() {
    let call = || json!({ "pattern": "x" });
    let (state, text, _) =
        grep(call(), || ExecReply::failure(2, "rg: ./b.txt: Permission denied (os error 13)\n")).await;
    assert_eq!(state, ToolResultState::Success);
    insta::assert_snapshot!(text, @r"
    No matches found for `x` in `/w`.

    [1 file could not be read: `/w/b.txt` (permission denied)]
    ");
    let (state, text, _) = grep(call(), || ExecReply::failure(2, "rg: unrecognized flag --crlf\n")).await;
    assert_eq!(state, ToolResultState::Error);
    assert_eq!(text, "`rg` failed with code 2: unrecognized flag --crlf");
}

#[tokio::test]
async fn what_it_found_before_its_time_was_over_is_shown() {
    let (state, text, _) = grep(json!({ "pattern": "x" }), || ExecReply::timed_out("./a\0")).await;
    assert_eq!(state, ToolResultState::Success);
    insta::assert_snapshot!(text, @r"
    /w/a

    [the search was stopped after 30 s and is not complete; name a narrower path or pattern]
    ");
}

#[tokio::test]
async fn without_any_program_the_files_are_read() {
    let backend = MemoryBackend::new().file("/w/a.txt", "one\nhit\n").file("/w/.git/x", "hit\n").in_directory("/w");
    let call = json!({ "pattern": "hit", "output_mode": "content", "-B": 1 });
    let response = testing::call(Grep::on(Arc::new(backend)), call).await;
    assert_eq!(response.text(), "/w/a.txt-1-one\n/w/a.txt:2:hit");
}
