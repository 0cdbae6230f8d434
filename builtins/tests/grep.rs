//! Grep: what it finds, how it shows it, and what it says.

#![cfg(all(unix, feature = "local"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod search;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::Duration;

use agentscope_tool::prelude::*;
use agentscope_tool::testing;
use agentscope_tool_builtins::Grep;
use search::{Folder, results};
use serde_json::{Value, json};

fn tool(folder: &Folder) -> Grep {
    Grep::on(Arc::new(folder.backend()))
}

async fn grep(folder: &Folder, call: Value) -> String {
    folder.shorten(&testing::call(tool(folder), call).await.text())
}

async fn content(folder: &Folder, pattern: &str) -> String {
    grep(folder, json!({ "pattern": pattern, "output_mode": "content" })).await
}

#[test]
fn what_the_model_reads_of_the_tool() {
    let tool = Grep::local();
    insta::assert_snapshot!(tool.spec().description());
    insta::assert_json_snapshot!(tool.spec().input_schema());
    let respects = Tool::describe(&Grep::local().respect_gitignore()).unwrap().into_owned();
    assert!(respects.ends_with("Files that git ignores are not searched."), "{respects}");
    assert!(tool.spec().is_read_only() && tool.spec().is_concurrency_safe());
}

#[tokio::test]
async fn a_page_of_content_looks_like_this() {
    let folder = Folder::new()
        .file("a.txt", "one\ntwo\nhit three\n\nfive\nhit six\r\nseven\neight\nnine\nten\nhit eleven\n")
        .file("b/c.txt", "hit\n")
        .file("d.bin", b"hit\0\n");
    let call = json!({ "pattern": "hit", "output_mode": "content", "-B": 1, "-A": 1 });
    insta::assert_snapshot!(grep(&folder, call).await, @r"
    ~/a.txt-2-two
    ~/a.txt:3:hit three
    ~/a.txt-4-
    ~/a.txt-5-five
    ~/a.txt:6:hit six
    ~/a.txt-7-seven
    --
    ~/a.txt-10-ten
    ~/a.txt:11:hit eleven
    --
    ~/b/c.txt:1:hit
    ");
    let call =
        json!({ "pattern": "hit", "output_mode": "content", "context": 1, "-A": 5, "head_limit": 1, "offset": 1 });
    insta::assert_snapshot!(grep(&folder, call).await, @r"
    ~/a.txt-5-five
    ~/a.txt:6:hit six
    ~/a.txt-7-seven

    [limit: 1, offset: 1; more matches follow, go on with offset: 2]
    ");
    let call =
        json!({ "pattern": "hit", "path": "a.txt", "output_mode": "content", "n": false, "-C": 1, "head_limit": 1 });
    insta::assert_snapshot!(grep(&folder, call).await, @r"
    two
    hit three


    [limit: 1; more matches follow, go on with offset: 1]
    ");
    let call = json!({ "pattern": "hit|e$", "output_mode": "count", "path": "a.txt" });
    assert_eq!(grep(&folder, call).await, "~/a.txt:6");
}

#[tokio::test]
async fn lines_end_as_in_read() {
    let folder = Folder::new().file("a", "x\rfoo\r\nbar\x0cfoo\nlast foo");
    assert_eq!(content(&folder, "foo$").await, "~/a:1:x\rfoo\n~/a:2:bar\x0cfoo\n~/a:3:last foo");
    assert_eq!(content(&folder, "^last").await, "~/a:3:last foo");
}

#[tokio::test]
async fn bytes_that_are_no_text_are_shown() {
    let folder = Folder::new().file(b"n\xff", b"caf\xe9s \xc3\xa9\n");
    assert_eq!(content(&folder, "s é").await, "~/n\\xFF:1:caf\\xE9s é");
}

#[tokio::test]
async fn other_encodings_with_a_mark_are_searched() {
    let utf16: Vec<u8> = "\u{feff}naïve needle\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = Folder::new().file("le", utf16).file("utf8", "\u{feff}needle first\n");
    assert_eq!(content(&folder, "needle").await, "~/le:1:naïve needle\n~/utf8:1:needle first");
    assert_eq!(content(&folder, "^needle").await, "~/utf8:1:needle first");
}

#[tokio::test]
async fn binary_files_are_skipped_unless_they_are_named() {
    let late = [b"needle\n".repeat(20_000), b"\0needle\n".to_vec()].concat();
    let folder = Folder::new().file("early", b"needle\n\0\n").file("late", late).file("text", "needle\n");
    assert_eq!(grep(&folder, json!({ "pattern": "needle" })).await, "~/late\n~/text");
    assert_eq!(grep(&folder, json!({ "pattern": "needle", "output_mode": "count" })).await, "~/text:1");
    let named = json!({ "pattern": "needle", "path": "early", "output_mode": "content" });
    assert_eq!(grep(&folder, named).await, "~/early: binary file matches (a NUL byte is at offset 7)");
    let call =
        json!({ "pattern": "needle", "output_mode": "content", "glob": "late", "head_limit": 0, "offset": 10_000 });
    let shown = testing::call(tool(&folder).output_limit(usize::MAX), call).await.text();
    let shown = folder.shorten(&shown);
    assert!(shown.starts_with("~/late:10001:needle\n"));
    let (_, note) = shown.rsplit_once("\n[").unwrap();
    assert_eq!(note, "`~/late` is binary (a NUL byte is at offset 140000) and was searched only in part]");
}

#[tokio::test]
async fn a_long_line_is_shown_around_its_match() {
    let folder =
        Folder::new().file("a", format!("{}needle{}\nneedle{}\n", "ä".repeat(1000), "ö".repeat(1000), "x".repeat(495)));
    let shown = content(&folder, "needle").await;
    let lines: Vec<_> = shown.lines().collect();
    let lead = "ä".repeat(100);
    let rest = "ö".repeat(394);
    assert_eq!(lines[0], format!("~/a:1:[… 900 characters omitted …]{lead}needle{rest}[… 606 characters omitted …]"));
    assert_eq!(lines[1], format!("~/a:2:needle{}[… 1 character omitted …]", "x".repeat(494)));
}

#[tokio::test]
async fn a_match_may_go_over_several_lines() {
    let folder = Folder::new().file("a", "fn a() {\n  b\n}\nfn c() {\n}\n");
    let call = |pattern: &str, multiline: bool| json!({ "pattern": pattern, "multiline": multiline, "output_mode": "content" });
    assert_eq!(grep(&folder, call(r"\{.*?b", true)).await, "~/a:1:fn a() {\n~/a:2:  b");
    assert_eq!(grep(&folder, call(r"\{\n\}", false)).await, "~/a:4:fn c() {\n~/a:5:}");
    assert_eq!(grep(&folder, call(r"\{.*b", false)).await, r"No matches found for `\\{.*b` in `~` (1 file searched).");
}

#[tokio::test]
async fn a_page_ends_where_its_text_would_be_too_long() {
    let folder = Folder::new();
    for file in 0..20 {
        folder.add(format!("{file:02}"), "hit\n".repeat(10));
    }
    let small = tool(&folder).output_limit(1000);
    for mode in ["content", "files_with_matches", "count"] {
        let whole = results(&grep(&folder, json!({ "pattern": "hit", "output_mode": mode, "head_limit": 0 })).await);
        let (mut joined, mut offset) = (Vec::new(), 0);
        loop {
            let call = json!({ "pattern": "hit", "output_mode": mode, "head_limit": 0, "offset": offset });
            let page = testing::call(small.clone(), call).await.text();
            assert!(page.len() < 1200, "{page}");
            joined.extend(results(&folder.shorten(&page)));
            match page.split_once("go on with offset: ") {
                Some((_, next)) => offset = next.trim_end_matches(']').parse::<u64>().unwrap(),
                None => break,
            }
        }
        assert_eq!(joined, whole, "{mode}");
    }
}

#[tokio::test]
async fn what_is_searched_is_what_the_arguments_say() {
    let folder = Folder::new()
        .file("src/a.rs", "hit\n")
        .file("src/.hidden/b.rs", "hit\n")
        .file(".git/config", "hit\n")
        .file("vendor/.hg/c.rs", "hit\n")
        .file("notes.md", "hit\n")
        .file(".gitignore", "notes.md\n")
        .link("link.rs", "src/a.rs")
        .link("linked", "src");
    let found = async |call: Value| grep(&folder, call).await;
    assert_eq!(found(json!({ "pattern": "hit" })).await, "~/notes.md\n~/src/.hidden/b.rs\n~/src/a.rs");
    assert_eq!(found(json!({ "pattern": "hit", "type": "rust" })).await, "~/src/.hidden/b.rs\n~/src/a.rs");
    assert_eq!(found(json!({ "pattern": "hit", "glob": "src/*.rs,*.md" })).await, "~/notes.md\n~/src/a.rs");
    assert_eq!(found(json!({ "pattern": "hit", "path": ".git" })).await, "~/.git/config");
    assert_eq!(found(json!({ "pattern": "hit", "path": "link.rs" })).await, "~/link.rs");
    assert_eq!(found(json!({ "pattern": "hit", "path": "linked" })).await, "~/linked/.hidden/b.rs\n~/linked/a.rs");
    let respects = testing::call(tool(&folder).respect_gitignore(), json!({ "pattern": "hit" })).await.text();
    assert_eq!(folder.shorten(&respects), "~/src/.hidden/b.rs\n~/src/a.rs");
}

#[tokio::test]
async fn a_call_that_cannot_be_says_why() {
    let folder = Folder::new().file("a.txt", "x");
    std::os::unix::net::UnixListener::bind(folder.path.join("socket")).unwrap();
    let mut shown = Vec::new();
    for call in [
        json!({ "pattern": "a(b" }),
        json!({ "pattern": "(?=x)" }),
        json!({ "pattern": r"(a)\1" }),
        json!({ "pattern": "(?:(?:a{1000}){1000}){1000}" }),
        json!({ "pattern": "x", "glob": "{" }),
        json!({ "pattern": "x", "type": "nosuch" }),
        json!({ "pattern": "x", "-A": -1 }),
        json!({ "pattern": "x", "path": "none" }),
        json!({ "pattern": "x", "path": "socket" }),
        json!({ "pattern": "x", "output_mode": "lines" }),
        json!({ "pattern": "x", "head_limit": -1 }),
    ] {
        let response = testing::call(tool(&folder), call.clone()).await;
        assert_eq!(response.state, ToolResultState::Error, "{call}");
        shown.push(format!("{call}\n    {}", folder.shorten(&response.text()).replace('\n', "\n    ")));
    }
    insta::assert_snapshot!(shown.join("\n"));
}

#[tokio::test]
async fn finding_nothing_is_no_error() {
    let folder = Folder::new().file("a.txt", "x\n");
    let response = testing::call(tool(&folder), json!({ "pattern": "y", "glob": "*.rs" })).await;
    assert_eq!(response.state, ToolResultState::Success);
    assert_eq!(folder.shorten(&response.text()), "No matches found for `y` in `~` (0 files searched).");
    let past = grep(&folder, json!({ "pattern": "x", "output_mode": "content", "offset": 3 })).await;
    assert_eq!(past, "[no results from offset: 3 on; 1 match in all]");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_a_note() {
    let folder = Folder::new().file("a.txt", "hit\n").file("b.txt", "hit\n");
    let closed = folder.path.join("b.txt");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // Root may read everything.
    if fs::read(&closed).is_err() {
        let found = content(&folder, "hit").await;
        assert_eq!(found, "~/a.txt:1:hit\n\n[1 file could not be read: `~/b.txt` (permission denied)]");
    }
}

#[tokio::test]
async fn a_search_that_takes_too_long_says_that_it_is_not_complete() {
    let folder = Folder::new().file("a.txt", "hit\n");
    let response = testing::call(tool(&folder).time_limit(Duration::ZERO), json!({ "pattern": "hit" })).await;
    assert_eq!(response.state, ToolResultState::Success);
    assert!(response.text().contains("stopped after 0 s and is not complete"), "{}", response.text());
}

#[tokio::test]
async fn others_go_on_while_a_large_file_is_searched() {
    let folder = Folder::new().file("big", "no such thing here\n".repeat(2_000_000));
    let big = testing::call(tool(&folder), json!({ "pattern": "needle|x{3}" }));
    let mut ticks = 0;
    let heart = async {
        loop {
            tokio::time::sleep(Duration::from_millis(1)).await;
            ticks += 1;
        }
    };
    tokio::select! {
        response = big => assert!(response.text().starts_with("No matches")),
        () = heart => {}
    }
    assert!(ticks >= 2, "{ticks}");
}

#[tokio::test]
async fn rules_see_what_is_searched() {
    let folder = Folder::new().file("secret/a", "x").link("link", "secret/a");
    let toolkit = Toolkit::builder().tool(tool(&folder)).build().unwrap();
    let decide = async |context: PermissionContext, call: Value| {
        let call = ToolCall::from_value("1", "Grep", &call);
        toolkit.check(&call, &AgentState::new().with_permissions(context)).await
    };
    use PermissionBehavior::{Allow, Ask, Deny};
    let denied = PermissionContext::new().deny(&format!("Read({}/secret/**)", folder.text())).unwrap();
    for (call, expected) in [
        (json!({ "pattern": "x" }), Deny),
        (json!({ "pattern": "x", "path": "secret/a" }), Deny),
        (json!({ "pattern": "x", "path": "link" }), Deny),
        (json!({ "pattern": "x", "path": "/usr" }), Ask),
    ] {
        assert_eq!(decide(denied.clone(), call.clone()).await.behavior, expected, "{call}");
    }
    for path in ["secret", "secret/a"] {
        let call = json!({ "pattern": "x", "path": path });
        let asked = decide(PermissionContext::new(), call.clone()).await;
        let rules: Vec<_> = asked.suggested_rules.iter().flatten().map(ToString::to_string).collect();
        let allowed = PermissionContext::new().allow(&rules[0]).unwrap();
        assert_eq!(decide(allowed, call).await.behavior, Allow, "{rules:?}");
    }
}
