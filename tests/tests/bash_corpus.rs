//! What the analysis of shell commands promises, over all commands of the cases.

#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, LazyLock};

use agentscope_tool::{AgentState, ToolCall, Toolkit};
use agentscope_tool_backends::LocalBackend;
use agentscope_tool_builtins::Bash;
use agentscope_tool_builtins::bash::{Shell, analyse};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// The commands of the cases.
fn corpus() -> &'static [String] {
    static CORPUS: LazyLock<Vec<String>> = LazyLock::new(load);
    &CORPUS
}

fn load() -> Vec<String> {
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/cases/bash.jsonl")).unwrap();
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        case["command"].as_str().unwrap().to_owned()
    };
    text.lines().map(case).collect()
}

fn is_read_only(command: &str) -> bool {
    analyse(command, Shell::Bash).is_read_only()
}

#[test]
fn what_is_put_behind_a_command_never_makes_it_harmless() {
    for command in corpus() {
        for more in ["; touch x", "\ntouch x", " & touch x", " && touch x", " | sh", "\n. ./x", " > x", "\n`touch x`"] {
            let changed = format!("{command}{more}");
            // A comment or an open quote takes in what follows it on its line.
            let swallowed = !more.starts_with('\n') && command.contains('#');
            assert!(swallowed || !is_read_only(&changed), "{changed:?}");
        }
        assert!(!is_read_only(&format!("touch x; {command}")), "{command:?}");
        assert!(!is_read_only(&format!("PATH=/tmp {command}")) || command.starts_with(['#', '\n']), "{command:?}");
    }
}

#[test]
fn what_a_command_is_wrapped_in_never_makes_it_harmless() {
    // What is not understood may become something else in there.
    let is_known = |command: &str| analyse(command, Shell::Bash).fault().is_none();
    for command in corpus().iter().filter(|command| !is_read_only(command) && is_known(command)) {
        for (before, after) in [
            ("( ", "\n)"),
            ("{ ", "\n}"),
            ("! ", ""),
            ("if true; then ", "\nfi"),
            ("for i in 1; do ", "\ndone"),
            ("echo $(", "\n)"),
            ("echo \"$(", "\n)\""),
            ("ls | ", ""),
            ("true && ", ""),
            ("case a in a) ", "\n;; esac"),
            ("cat <(", "\n)"),
        ] {
            let changed = format!("{before}{command}{after}");
            assert!(!is_read_only(&changed), "{changed:?}");
        }
    }
}

/// A command with one of its plain characters written in another way that means the same.
fn respelt(command: &str, at: &Index, how: u8) -> Option<String> {
    let plain: Vec<usize> =
        command.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
    let place = *plain.get(at.index(plain.len().max(1)))?;
    let (before, rest) = command.split_at(place);
    let (c, after) = rest.split_at(1);
    let spelt = match how {
        0 => format!("\\{c}"),
        1 => format!("'{c}'"),
        2 => format!("\"{c}\""),
        3 => format!("''{c}"),
        _ => format!("\\\n{c}"),
    };
    Some(format!("{before}{spelt}{after}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Where a command has quotes of its own, the new ones mean something else, which is a test of its own: bash says what.
    #[test]
    fn another_spelling_never_makes_a_command_harmless(which in any::<Index>(), at in any::<Index>(), how in 0..5u8) {
        let command = which.get(corpus());
        if is_read_only(command) || command.contains(['\'', '"', '\\', '$', '`', '#', '<', '{', '\n']) {
            return Ok(());
        }
        if let Some(changed) = respelt(command, &at, how) {
            prop_assert!(!is_read_only(&changed), "{:?} is {:?}", changed, command);
        }
    }
}

/// Everything in a directory: modes, sizes, contents, links, and when it was changed.
fn contents(root: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut left = vec![root.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let data = fs::symlink_metadata(&path).unwrap();
            let content = match data.file_type() {
                kind if kind.is_symlink() => format!("-> {}", fs::read_link(&path).unwrap().display()),
                kind if kind.is_dir() => String::new(),
                _ => String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned(),
            };
            let (mode, seconds, nanoseconds) = (data.permissions().mode(), data.mtime(), data.mtime_nsec());
            all.insert(path.display().to_string(), format!("{mode:o} {seconds}.{nanoseconds} {content}"));
            if data.is_dir() {
                left.push(path);
            }
        }
    }
    all
}

/// Runs for real what is said to run by itself, in a project with a repository, and looks whether anything has changed.
#[tokio::test(flavor = "current_thread")]
async fn what_is_said_to_read_leaves_everything_as_it_was() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path();
    let lay_out = "mkdir -p src sub .git-not && echo 'fn main() {}' > src/main.rs && printf 'b\\na\\n' > f && echo '{\"a\": 1}' > a.json &&
        echo x > a && echo y > b && echo '[package]' > Cargo.toml && ln -s a link &&
        git init -q . && git add -A && git -c user.name=t -c user.email=t@example.com commit -qm first && echo z >> a";
    let status = Command::new("sh").arg("-ec").arg(lay_out).current_dir(root).status().unwrap();
    assert!(status.success());
    let home = tempfile::tempdir().unwrap();
    let backend = Arc::new(LocalBackend::in_directory(root).unwrap());
    let bash = Bash::on(backend).env("HOME", home.path().to_str().unwrap());
    let toolkit = Toolkit::builder().tool(bash).build().unwrap();
    let before = contents(root);
    let mut run = 0;
    for command in corpus() {
        // What reads the whole machine takes too long, and what waits would wait.
        let is_long = ["/usr", "/proc", "/sys", " / ", "-f ", "--follow", "sleep", "watch", "yes", " /", "~"];
        if !is_read_only(command) || is_long.iter().any(|text| command.contains(text)) {
            continue;
        }
        let call = ToolCall::from_value("c", "Bash", &json!({ "command": command, "timeout": 3_000 }));
        let _ = toolkit.call_unchecked(call, &AgentState::new()).await;
        let after = contents(root);
        let changed: Vec<_> =
            before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(changed.is_empty(), "{command:?} has changed {changed:?}");
        run += 1;
    }
    assert!(run > 300, "only {run} commands were run");
}
