//! Glob: which files it finds, in which order, and what it says.

#![cfg(all(unix, feature = "local"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod search;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use agentscope_tool::prelude::*;
use agentscope_tool::{ToolResponse, testing};
use agentscope_tool_builtins::{Glob, Grep};
use search::{Folder, results};
use serde_json::{Value, json};

fn tool(folder: &Folder) -> Glob {
    Glob::on(Arc::new(folder.backend()))
}

async fn glob(folder: &Folder, call: Value) -> String {
    folder.shorten(&testing::call(tool(folder), call).await.text())
}

fn set_mtime(folder: &Folder, name: &str, seconds: u64, nanos: u32) {
    let time = UNIX_EPOCH + Duration::new(seconds, nanos);
    fs::File::open(folder.path.join(name)).unwrap().set_modified(time).unwrap();
}

#[test]
fn what_the_model_reads_of_the_tool() {
    let tool = Glob::local();
    insta::assert_snapshot!(tool.spec().description());
    insta::assert_json_snapshot!(tool.spec().input_schema());
    let respects = Tool::describe(&Glob::local().respect_gitignore()).unwrap().into_owned();
    assert!(respects.ends_with("Files that git ignores are left out."), "{respects}");
    assert!(tool.spec().is_read_only() && tool.spec().is_concurrency_safe());
}

#[tokio::test]
async fn the_newest_come_first_to_the_nanosecond() {
    let folder = Folder::new().file("a", "").file("b", "").file("c", "").file("d", "");
    for (name, nanos) in [("a", 1), ("b", 3), ("c", 3), ("d", 2)] {
        set_mtime(&folder, name, 1000, nanos);
    }
    assert_eq!(glob(&folder, json!({ "pattern": "*" })).await, "~/b\n~/c\n~/d\n~/a");
}

#[tokio::test]
async fn pages_joined_are_the_whole_also_of_a_large_tree() {
    let folder = Folder::new();
    for file in 0..1500 {
        folder.add(format!("d{}/{file}.txt", file % 7), "");
    }
    let whole = glob(&folder, json!({ "pattern": "**/*.txt", "head_limit": 0 })).await;
    assert_eq!(whole.lines().count(), 1500);
    let mut joined = Vec::new();
    for offset in (0..1500).step_by(400) {
        let page = glob(&folder, json!({ "pattern": "**/*.txt", "head_limit": 400, "offset": offset })).await;
        let note = page.lines().last().unwrap().to_owned();
        assert!(note.contains("1500 files in all"), "{note}");
        joined.extend(results(&page));
    }
    assert_eq!(joined.join("\n"), whole);
}

#[tokio::test]
async fn what_does_not_fit_is_left_to_the_next_page() {
    let folder = Folder::new().file("one", "").file("two", "").file("three", "");
    let small = tool(&folder).output_limit(folder.text().len() * 2 + 13);
    let response = testing::call(small.clone(), json!({ "pattern": "*" })).await;
    assert_eq!(results(&response.text()).len(), 2, "{}", response.text());
    assert!(response.text().contains("too long to show at once; 3 files in all, go on with offset: 2"));
    let response = testing::call(small, json!({ "pattern": "*", "offset": 2 })).await;
    assert_eq!(results(&response.text()).len(), 1, "{}", response.text());
}

#[tokio::test]
async fn directories_are_no_results_and_links_to_them_are_not_followed() {
    let folder =
        Folder::new().file("dir/a", "").link("link", "dir").link("loop", ".").link("dir/file", "a").link("x", "gone");
    let found = glob(&folder, json!({ "pattern": "**" })).await;
    let mut found: Vec<_> = found.lines().collect();
    found.sort_unstable();
    assert_eq!(found, ["~/dir/a", "~/dir/file"]);
    assert_eq!(glob(&folder, json!({ "pattern": "link/a" })).await, "~/link/a");
    assert_eq!(glob(&folder, json!({ "pattern": "a", "path": "link" })).await, "~/link/a");
}

#[tokio::test]
async fn an_absolute_pattern_does_not_depend_on_the_path() {
    let folder = Folder::new().file("a/x.txt", "").file("b/y.txt", "");
    let pattern = format!("{}/a/*", folder.text());
    assert_eq!(glob(&folder, json!({ "pattern": pattern, "path": "b" })).await, "~/a/x.txt");
}

#[tokio::test]
async fn paths_are_taken_from_the_current_directory_and_shown_whole() {
    let folder = Folder::new().file("a/b/x", "").file("a/y", "");
    for (path, expected) in [("a", "~/a/y"), ("./a/", "~/a/y"), ("a//b", "~/a/b/x"), ("a/b/..", "~/a/y")] {
        assert_eq!(glob(&folder, json!({ "pattern": "*", "path": path })).await, expected, "{path}");
    }
    assert_eq!(glob(&folder, json!({ "pattern": "*/y", "path": "" })).await, "~/a/y");
}

#[tokio::test]
async fn names_that_are_no_text_are_no_other_names() {
    let folder = Folder::new().file(b"a\xffb", "").file("two\nlines", "");
    let found = glob(&folder, json!({ "pattern": "*" })).await;
    let mut found: Vec<_> = found.lines().collect();
    found.sort_unstable();
    assert_eq!(found, [r"~/a\xFFb", r"~/two\nlines"]);
}

#[tokio::test]
async fn what_git_ignores_is_listed_unless_the_program_says_otherwise() {
    let folder = Folder::new().file(".gitignore", "*.log\n").file("a.log", "").file("b.txt", "").file(".git/HEAD", "");
    let call = json!({ "pattern": "*.{log,txt}" });
    assert_eq!(glob(&folder, call.clone()).await.lines().count(), 2);
    assert_eq!(glob(&folder, json!({ "pattern": ".git/*" })).await, "~/.git/HEAD");
    let response = testing::call(tool(&folder).respect_gitignore(), call).await;
    assert_eq!(folder.shorten(&response.text()), "~/b.txt");
}

#[tokio::test]
async fn a_call_that_cannot_be_says_why() {
    let folder = Folder::new().file("a.txt", "");
    std::os::unix::net::UnixListener::bind(folder.path.join("socket")).unwrap();
    let mut shown = Vec::new();
    for call in [
        json!({ "pattern": "[" }),
        json!({ "pattern": "../*" }),
        json!({ "pattern": "" }),
        json!({ "pattern": "*", "path": "none" }),
        json!({ "pattern": "*", "path": "a.txt" }),
        json!({ "pattern": "*", "path": "socket" }),
        json!({ "pattern": "*", "path": "a.txt/x" }),
        json!({ "pattern": "*", "path": "a\u{0}b" }),
        json!({ "pattern": "*", "offset": -1 }),
    ] {
        let response: ToolResponse = testing::call(tool(&folder), call.clone()).await;
        assert_eq!(response.state, ToolResultState::Error, "{call}");
        shown.push(format!("{call}\n    {}", folder.shorten(&response.text())));
    }
    insta::assert_snapshot!(shown.join("\n"));
}

#[tokio::test]
async fn finding_nothing_is_no_error() {
    let folder = Folder::new().file("a.txt", "");
    for (pattern, expected) in [
        ("*.zig", "No files found that match `*.zig` in `~`."),
        ("no/such/*", "No files found that match `no/such/*` in `~/no/such`."),
        ("a.txt/*", "No files found that match `a.txt/*` in `~/a.txt`."),
    ] {
        let response = testing::call(tool(&folder), json!({ "pattern": pattern })).await;
        assert_eq!(response.state, ToolResultState::Success);
        assert_eq!(folder.shorten(&response.text()), expected);
    }
}

#[tokio::test]
async fn a_search_that_takes_too_long_says_that_it_is_not_complete() {
    let folder = Folder::new().file("a.txt", "").file("b.txt", "");
    let response = testing::call(tool(&folder).time_limit(Duration::ZERO), json!({ "pattern": "*" })).await;
    assert_eq!(response.state, ToolResultState::Success);
    assert!(response.text().contains("stopped after 0 s and is not complete"), "{}", response.text());
}

#[tokio::test]
async fn a_directory_that_cannot_be_read_is_a_note() {
    let folder = Folder::new().file("closed/a.txt", "").file("b.txt", "");
    let closed = folder.path.join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    // Root may read everything.
    if fs::read_dir(&closed).is_err() {
        let found = glob(&folder, json!({ "pattern": "**" })).await;
        assert_eq!(found, "~/b.txt\n\n[1 directory could not be read: `~/closed` (permission denied)]");
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test]
async fn elsewhere_the_same_files_are_found() {
    let folder = Folder::new()
        .file("a.rs", "")
        .file("x/b.rs", "")
        .file("x/y/c.rs", "")
        .file(".hidden/d.rs", "")
        .file("-e.rs", "")
        .file("two\nlines.rs", "")
        .file(b"no\xfftext.rs", "")
        .link("x/link.rs", "b.rs")
        .link("loop", ".")
        .link("gone.rs", "nowhere");
    for pattern in ["*.rs", "**/*.rs", "x/**", "*/b.rs", "x/b.rs", ".*/*", "-*"] {
        let sorted = |text: String| {
            let mut lines: Vec<_> = folder.shorten(&text).lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let call = json!({ "pattern": pattern });
        let here = sorted(testing::call(tool(&folder), call.clone()).await.text());
        for programs in [&["find", "sh", "stat"][..], &["sh", "stat"]] {
            let there = testing::call(Glob::on(folder.elsewhere(programs)), call.clone()).await;
            assert_eq!(sorted(there.text()), here, "{pattern} with {programs:?}");
        }
    }
}

#[tokio::test]
async fn in_memory_the_newest_come_first_as_well() {
    let backend = testing::MemoryBackend::new().file("/w/a.txt", "").file("/w/b/c.txt", "").file("/w/b/d.md", "");
    let response = testing::call(Glob::on(Arc::new(backend)), json!({ "pattern": "**/*.txt", "path": "/w" })).await;
    assert_eq!(response.text(), "/w/b/c.txt\n/w/a.txt");
}

#[tokio::test]
async fn rules_see_the_directory_that_is_searched() {
    let toolkit = Toolkit::builder().tool(Glob::local()).build().unwrap();
    let decide = async |context: PermissionContext, call: Value| {
        let call = ToolCall::from_value("1", "Glob", &call);
        toolkit.check(&call, &AgentState::new().with_permissions(context)).await
    };
    use PermissionBehavior::{Allow, Ask, Deny};
    let denied = PermissionContext::new().deny("Read(/etc/**)").unwrap();
    for (pattern, path, expected) in [
        ("/etc/**", "/tmp", Deny),
        ("*", "/etc", Deny),
        ("etc/*", "/", Deny),
        ("**", "/", Deny),
        ("[", "/etc", Deny),
        ("*", "/tmp", Ask),
    ] {
        let decision = decide(denied.clone(), json!({ "pattern": pattern, "path": path })).await;
        assert_eq!(decision.behavior, expected, "{pattern} in {path}");
    }
    let call = json!({ "pattern": "src/*.rs", "path": "/w [1]" });
    let asked = decide(PermissionContext::new(), call.clone()).await;
    let rules: Vec<_> = asked.suggested_rules.iter().flatten().map(ToString::to_string).collect();
    assert_eq!(rules.len(), 1);
    let allowed = PermissionContext::new().allow(&rules[0]).unwrap();
    assert_eq!(decide(allowed, call).await.behavior, Allow, "{rules:?}");
}

#[tokio::test]
async fn a_search_of_the_whole_machine_leaves_out_what_are_no_files() {
    let backend = testing::MemoryBackend::new().file("/proc/1/x.txt", "hit").file("/w/proc/x.txt", "hit");
    let backend = Arc::new(backend);
    let note = "[`/dev`, `/proc` and `/sys` were left out; name them in `path` to search them]";
    for (pattern, expected) in [
        ("/**/x.txt", format!("/w/proc/x.txt\n\n{note}")),
        ("/proc/*/x.txt", "/proc/1/x.txt".into()),
        ("/*.txt", "No files found that match `/*.txt` in `/`.".into()),
    ] {
        let response = testing::call(Glob::on(backend.clone()), json!({ "pattern": pattern })).await;
        assert_eq!(response.text(), expected, "{pattern}");
    }
    let response = testing::call(Grep::on(backend), json!({ "pattern": "hit", "path": "/" })).await;
    assert_eq!(response.text(), format!("/w/proc/x.txt\n\n{note}"));
    // The same where there is a `find`, and on this machine.
    let folder = Folder::new();
    for backend in [folder.elsewhere(&["find"]), Arc::new(folder.backend())] {
        let tool = Glob::on(backend).time_limit(Duration::from_secs(5));
        let found = testing::call(tool, json!({ "pattern": "/*/{self,null,kernel}/stat*" })).await.text();
        assert!(found.ends_with(note) && !found.contains("/proc/self"), "{found}");
    }
}
