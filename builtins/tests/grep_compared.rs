//! Grep beside a search that is too simple to be wrong, and beside itself in environments that are not this machine.

#![cfg(all(unix, feature = "local"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod search;

use std::sync::Arc;
use std::time::Duration;

use agentscope_tool::testing;
use agentscope_tool_builtins::Grep;
use proptest::prelude::*;
use search::{Folder, has, results};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// What a call asks for.
#[derive(Clone, Debug)]
struct Ask {
    needle: &'static str,
    before: usize,
    after: usize,
    limit: usize,
    offset: usize,
}

/// The lines of the page, as they should be shown: a line of a match that is not on it is context.
fn naive(files: &[Vec<&str>], ask: &Ask) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    let mut seen = 0;
    for (file, lines) in files.iter().enumerate() {
        let mut marks = vec![' '; lines.len()];
        for (index, line) in lines.iter().enumerate() {
            if line.contains(ask.needle) {
                if (ask.offset..ask.offset + ask.limit).contains(&seen) {
                    for mark in &mut marks[index.saturating_sub(ask.before)..(index + ask.after + 1).min(lines.len())] {
                        if *mark == ' ' {
                            *mark = '-';
                        }
                    }
                    marks[index] = ':';
                }
                seen += 1;
            }
        }
        for (index, mark) in marks.iter().enumerate().filter(|(_, mark)| **mark != ' ') {
            let gap = index == 0 || marks[index - 1] == ' ';
            if gap && !shown.is_empty() && ask.before + ask.after > 0 {
                shown.push("--".into());
            }
            shown.push(format!("~/{file:04}{mark}{}{mark}{}", index + 1, lines[index]));
        }
    }
    shown
}

fn call(ask: &Ask) -> Value {
    json!({
        "pattern": ask.needle, "output_mode": "content", "head_limit": ask.limit, "offset": ask.offset,
        "-A": ask.after, "-B": ask.before,
    })
}

fn plant(files: &[Vec<&str>]) -> Folder {
    let folder = Folder::new();
    for (index, lines) in files.iter().enumerate() {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        folder.add(format!("{index:04}"), text);
    }
    folder
}

fn run(folder: &Folder, tool: Grep, call: Value) -> String {
    let runtime = Runtime::new().unwrap();
    folder.shorten(&runtime.block_on(async { testing::call(tool, call).await }).text())
}

fn file() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop_oneof![3 => Just("x"), 2 => Just("a hit"), 1 => Just(".")], 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_page_is_what_it_should_be(
        files in prop::collection::vec(file(), 1..5),
        before in 0..3_usize, after in 0..3_usize, limit in 1..6_usize, offset in 0..6_usize,
    ) {
        let ask = Ask { needle: "hit", before, after, limit, offset };
        let folder = plant(&files);
        let here = run(&folder, Grep::on(Arc::new(folder.backend())), call(&ask));
        let shown = if here.starts_with("No matches") { Vec::new() } else { results(&here) };
        prop_assert_eq!(&shown, &naive(&files, &ask), "{}", here);
        let matches = files.iter().flatten().filter(|line| line.contains("hit")).count();
        let more = format!("go on with offset: {}", offset + limit);
        prop_assert_eq!(here.contains(&more), matches > offset + limit, "{}", here);
    }

    #[test]
    fn pages_joined_are_the_whole(files in prop::collection::vec(file(), 1..8), limit in 1..7_usize) {
        let folder = plant(&files);
        for mode in ["content", "files_with_matches", "count"] {
            let page = |limit: usize, offset: usize| {
                let call = json!({ "pattern": "hit", "output_mode": mode, "head_limit": limit, "offset": offset });
                run(&folder, Grep::on(Arc::new(folder.backend())), call)
            };
            let whole = page(0, 0);
            if whole.starts_with("No matches") {
                continue;
            }
            let pages = (0..).map(|index| results(&page(limit, index * limit))).take_while(|page| !page.is_empty());
            prop_assert_eq!(pages.collect::<Vec<_>>().concat(), results(&whole));
        }
    }
}

#[test]
fn a_large_tree_gives_the_same_as_one_thread_would() {
    let files: Vec<_> = (0..2500)
        .map(|file| match file % 5 {
            0 => vec!["x", "a hit", "x", "another hit"],
            1 => vec!["hit"],
            _ => vec!["x"; file % 40],
        })
        .collect();
    let folder = plant(&files);
    for (limit, offset) in [(10_000, 0), (7, 0), (250, 600), (1, 1499), (5, 1498)] {
        let ask = Ask { needle: "hit", before: 1, after: 0, limit, offset };
        let tool = Grep::on(Arc::new(folder.backend())).output_limit(usize::MAX);
        assert_eq!(results(&run(&folder, tool, call(&ask))), naive(&files, &ask), "{ask:?}");
    }
}

/// What to search for in each environment.
fn calls() -> Vec<Value> {
    let mut calls = Vec::new();
    for pattern in [
        "hit",
        "h.t$",
        "(hit|ÄB)+",
        r"\bhit\d",
        "^$",
        "hit[0-9]",
        "é",
        r"t\n",
        "--",
        "nothing at all",
        "[^x]it",
        "a{2}",
    ] {
        for mode in ["content", "files_with_matches", "count"] {
            calls.push(json!({ "pattern": pattern, "output_mode": mode }));
        }
    }
    calls.extend([
        json!({ "pattern": "äb", "i": true, "output_mode": "content" }),
        json!({ "pattern": "HIT", "case_insensitive": true, "output_mode": "content", "-C": 1 }),
        json!({ "pattern": "hit", "output_mode": "content", "-A": 1, "head_limit": 2, "offset": 1 }),
        json!({ "pattern": "hit", "output_mode": "content", "n": false }),
        json!({ "pattern": "hit", "output_mode": "content", "path": "a.txt", "n": false, "-B": 1 }),
        json!({ "pattern": "hit", "output_mode": "content", "path": "bin" }),
        json!({ "pattern": "hit", "output_mode": "count", "path": "-dir/-f.rs" }),
        json!({ "pattern": "hit.*", "multiline": true, "output_mode": "content", "path": "a.txt" }),
        json!({ "pattern": "hit", "type": "rust" }),
        json!({ "pattern": "hit", "glob": "*.{rs,md},!x/*" }),
        json!({ "pattern": "hit", "glob": "x/" }),
        json!({ "pattern": "hit", "path": "x/.." }),
        json!({ "pattern": "hit", "head_limit": 2 }),
        json!({ "pattern": "hit", "head_limit": 2, "offset": 1, "output_mode": "count" }),
        json!({ "pattern": "hit", "offset": 90 }),
    ]);
    calls
}

#[test]
fn elsewhere_the_same_is_found() {
    let folder = Folder::new()
        .file("a.txt", "hit one\n\nx hit2\r\nÄB é\nlast hit")
        .file("x/b.rs", "aa\nhit\n")
        .file("x/y/c.md", b"caf\xe9 hit\n")
        .file("-dir/-f.rs", "-- hit\n")
        .file("bin", b"hit\0hit\n")
        .file("two\nlines", "hit\n")
        .file(".hidden", "hit\n")
        .file(".git/config", "hit\n")
        .link("link", "a.txt");
    for call in calls() {
        let here = run(&folder, Grep::on(Arc::new(folder.backend())), call.clone());
        // Elsewhere it is not always known how many files were searched.
        let told = |text: &str| text.split(" (").next().unwrap().trim_end_matches('.').to_owned();
        for programs in [&["rg"][..], &["find", "grep"], &["find"], &[]] {
            if programs.iter().all(|program| has(program)) {
                let endless = Grep::on(folder.elsewhere(programs)).time_limit(Duration::MAX);
                let there = run(&folder, endless, call.clone());
                if there.starts_with("No matches") {
                    assert_eq!(told(&there), told(&here), "{call} with {programs:?}");
                } else {
                    assert_eq!(there, here, "{call} with {programs:?}");
                }
            }
        }
    }
}
