//! Write and Edit on this machine's disk: whatever is in the way, the answer is an error and nothing has changed.

#![cfg(all(feature = "local", unix))]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails fails its test")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use agentscope_tool::prelude::*;
use agentscope_tool_builtins::{Edit, Read, Write};
use serde_json::{Value, json};
use tempfile::TempDir;

struct Agent {
    runtime: tokio::runtime::Runtime,
    state: AgentState,
}

impl Agent {
    fn new() -> Self {
        Self { runtime: tokio::runtime::Runtime::new().unwrap(), state: AgentState::new() }
    }

    fn call(&self, tool: impl Tool + 'static, input: Value) -> ToolResponse {
        let cx = ToolContext::builder().agent_state(&self.state).build();
        self.runtime.block_on(tool.invoke(input, cx).response())
    }

    fn read(&self, path: &Path) {
        let response = self.call(Read::local(), json!({ "file_path": path }));
        assert_eq!(response.state, ToolResultState::Success, "{}", response.text());
    }

    fn write(&self, path: &Path, content: &str) -> ToolResponse {
        self.call(Write::local(), json!({ "file_path": path, "content": content }))
    }

    fn edit(&self, path: &Path, old: &str, new: &str) -> ToolResponse {
        self.call(Edit::local(), json!({ "file_path": path, "old_string": old, "new_string": new }))
    }
}

#[track_caller]
fn succeeded(response: ToolResponse) -> String {
    assert_eq!(response.state, ToolResultState::Success, "{}", response.text());
    response.text()
}

#[track_caller]
fn failed(response: ToolResponse, why: &str) {
    assert_eq!(response.state, ToolResultState::Error, "{}", response.text());
    assert!(response.text().contains(why), "{}", response.text());
    assert!(!response.text().contains('\n'), "{}", response.text());
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The variable that tells this program which part to play, in a process of its own.
const PART: &str = "AGENTSCOPE_TEST_PART";

fn playing() -> Option<PathBuf> {
    std::env::var_os(PART).map(PathBuf::from)
}

/// This test program as another process, playing a part of the test of that name.
fn part(test: &str, directory: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(PART, directory);
    command
}

fn play(mut command: Command) {
    match command.output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => eprintln!("skipped: this program cannot be run as that user: {error}"),
    }
}

#[test]
fn links_and_modes_stay() {
    let scratch = TempDir::new().unwrap();
    let path = |name: &str| scratch.path().join(name);
    fs::write(path("real"), "one two\n").unwrap();
    fs::set_permissions(path("real"), fs::Permissions::from_mode(0o750)).unwrap();
    symlink("real", path("link")).unwrap();
    symlink("later", path("dangling")).unwrap();
    let agent = Agent::new();
    agent.read(&path("link"));
    succeeded(agent.edit(&path("link"), "one", "1"));
    // Read by one name, changed by the other.
    succeeded(agent.edit(&path("real"), "two", "2"));
    succeeded(agent.write(&path("dangling"), "x"));
    assert_eq!(fs::read_to_string(path("real")).unwrap(), "1 2\n");
    assert_eq!(fs::read_to_string(path("later")).unwrap(), "x");
    assert!(path("link").is_symlink() && path("dangling").is_symlink());
    assert_eq!(fs::metadata(path("real")).unwrap().permissions().mode() & 0o7777, 0o750);
    assert_eq!(names(scratch.path()), ["dangling", "later", "link", "real"]);
}

#[test]
fn other_names_of_a_file_are_told_of() {
    let scratch = TempDir::new().unwrap();
    let (file, other) = (scratch.path().join("file"), scratch.path().join("other"));
    fs::write(&file, "old\n").unwrap();
    fs::hard_link(&file, &other).unwrap();
    let agent = Agent::new();
    agent.read(&file);
    let said = succeeded(agent.edit(&file, "old", "new"));
    assert!(said.contains("1 more name (hard links)"), "{said}");
    assert_eq!((fs::read(&file).unwrap(), fs::read(&other).unwrap()), (b"new\n".to_vec(), b"old\n".to_vec()));
    assert!(!succeeded(agent.edit(&file, "new", "newer")).contains("hard"));
}

#[test]
fn what_is_no_file_is_refused() {
    let scratch = TempDir::new().unwrap();
    let path = |name: &str| scratch.path().join(name);
    fs::create_dir(path("directory")).unwrap();
    fs::write(path("file"), "x\n").unwrap();
    symlink("circle", path("circle")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        path("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::from_raw_mode(0o644),
        0,
    )
    .unwrap();
    let agent = Agent::new();
    for (name, why) in [
        ("directory", "is a directory"),
        ("pipe", "named pipe"),
        ("file/below", "a part of the path is a file"),
        ("circle", "annot"),
        ("new/", "slash"),
        ("nul\0", "NUL"),
    ] {
        failed(agent.write(&path(name), "y"), why);
        failed(agent.edit(&path(name), "x", "y"), why);
    }
    failed(agent.write(&path(&"n".repeat(300)), "y"), "too long");
    assert_eq!(fs::read_to_string(path("file")).unwrap(), "x\n");
    assert_eq!(names(scratch.path()), ["circle", "directory", "file", "pipe"]);
}

#[test]
fn a_file_larger_than_the_process_may_write_stays_as_it_is() {
    let Some(directory) = playing() else {
        let scratch = TempDir::new().unwrap();
        return play(part("a_file_larger_than_the_process_may_write_stays_as_it_is", scratch.path()));
    };
    let file = directory.join("file");
    fs::write(&file, "head\n").unwrap();
    let limit = rustix::process::Rlimit { current: Some(4_096), maximum: None };
    rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
    let agent = Agent::new();
    agent.read(&file);
    failed(agent.edit(&file, "head", &"x".repeat(20_000)), "this process may write 4096");
    failed(agent.write(&file, &"x".repeat(20_000)), "this process may write 4096");
    failed(agent.write(&directory.join("new/file"), &"x".repeat(20_000)), "this process may write 4096");
    assert_eq!(fs::read_to_string(&file).unwrap(), "head\n");
    assert_eq!(names(&directory), ["file"]);
    succeeded(agent.edit(&file, "head", "tail"));
}

#[test]
fn modes_hold_for_an_ordinary_user() {
    const NAME: &str = "modes_hold_for_an_ordinary_user";
    let prepare = |directory: &Path| {
        for (name, mode) in [("read-only", 0o444), ("sealed/file", 0o644)] {
            let path = directory.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "old\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        fs::set_permissions(directory.join("sealed"), fs::Permissions::from_mode(0o555)).unwrap();
    };
    let test = |directory: &Path| {
        let agent = Agent::new();
        for name in ["read-only", "sealed/file"] {
            let path = directory.join(name);
            agent.read(&path);
            failed(agent.edit(&path, "old", "new"), "permission denied");
            failed(agent.write(&path, "new"), "permission denied");
            assert_eq!(fs::read_to_string(&path).unwrap(), "old\n");
        }
        failed(agent.write(&directory.join("sealed/new"), "x"), "permission denied");
        failed(agent.write(&directory.join("sealed/sub/new"), "x"), "ermission denied");
        assert_eq!(names(&directory.join("sealed")), ["file"]);
    };
    if let Some(directory) = playing() {
        return test(&directory);
    }
    let scratch = TempDir::new().unwrap();
    prepare(scratch.path());
    if !rustix::process::geteuid().is_root() {
        return test(scratch.path());
    }
    const NOBODY: u32 = 65_534;
    for path in ["", "read-only", "sealed", "sealed/file"] {
        std::os::unix::fs::chown(scratch.path().join(path), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    let mut command = part(NAME, scratch.path());
    command.uid(NOBODY).gid(NOBODY).current_dir("/");
    play(command);
}

/// Runs the part in a small file system of its own, if one can be mounted.
fn in_own_file_system(test: &str, script: &str) {
    let scratch = TempDir::new().unwrap();
    let program = part(test, scratch.path());
    let mount = format!("mount -t tmpfs -o size=256k none \"$0\" || exit 77; {script}; exec \"$@\"");
    let mut command = Command::new("unshare");
    command.args(["-m", "sh", "-c", &mount]).arg(scratch.path()).arg(program.get_program()).args(program.get_args());
    match command.env(PART, scratch.path()).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) if output.status.code() == Some(77) || output.stdout.is_empty() => {
            eprintln!("skipped: no file system can be mounted: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
        Err(error) => eprintln!("skipped: no file system can be mounted: {error}"),
    }
}

#[test]
fn a_full_disk_keeps_the_old_file() {
    let Some(directory) = playing() else {
        return in_own_file_system("a_full_disk_keeps_the_old_file", "echo old > \"$0/file\"");
    };
    let file = directory.join("file");
    let agent = Agent::new();
    agent.read(&file);
    failed(agent.edit(&file, "old", &"x".repeat(1 << 20)), "no space is left");
    failed(agent.write(&file, &"x".repeat(1 << 20)), "no space is left");
    assert_eq!(fs::read_to_string(&file).unwrap(), "old\n");
    assert_eq!(names(&directory), ["file"]);
    succeeded(agent.edit(&file, "old", "new"));
}

#[test]
fn a_read_only_file_system_says_so() {
    let Some(directory) = playing() else {
        let script = "echo old > \"$0/file\"; mount -o remount,ro \"$0\"";
        return in_own_file_system("a_read_only_file_system_says_so", script);
    };
    let agent = Agent::new();
    agent.read(&directory.join("file"));
    failed(agent.edit(&directory.join("file"), "old", "new"), "read-only");
    failed(agent.write(&directory.join("new"), "x"), "read-only");
    assert_eq!(fs::read_to_string(directory.join("file")).unwrap(), "old\n");
}
