//! Runs a text in a real shell in which all programs record how they are called.

use agentscope_tool_builtins::bash::Shell;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub const HOME: &str = "/home/tester";
/// Variables of the shell's environment.
pub const VARIABLES: [(&str, &str); 2] = [("v", "one two"), ("w", "x")];

/// Writes its name, the number of its arguments, and them, in one piece. `oo` also prints them, `ff` fails, `hh` takes
/// its standard input as one more argument.
const PROGRAM: &str = r#"#!/bin/sh
trap '' PIPE
case ${0##*/} in
hh) text=
    while IFS= read -r line; do text="$text$line
"; done
    set -- "$@" "$text$line" ;;
esac
printf '%s\0' "${0##*/}" "$#" "$@" >>"$RECORD"
case ${0##*/} in
oo) printf '%s\n' "$*" ;;
ff) exit 1 ;;
esac
exit 0
"#;

pub struct Recorder {
    pub shell: Shell,
    program: PathBuf,
    runs: AtomicUsize,
    directory: tempfile::TempDir,
    pub work: PathBuf,
}

pub struct Run {
    /// Name, number of arguments, arguments.
    pub calls: Vec<Vec<String>>,
    /// The files that were made, sorted.
    pub files: Vec<String>,
}

impl Recorder {
    pub fn new(shell: Shell) -> Option<Self> {
        let program = match shell {
            Shell::Bash => "bash",
            Shell::Posix => "dash",
        };
        // The child's `PATH` holds nothing but recorders.
        let program = std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|path| path.join(program))
            .find(|path| path.is_file())?;
        let directory = tempfile::tempdir().unwrap();
        let bin = directory.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::fs::write(bin.join("recorder"), PROGRAM).unwrap();
        std::fs::set_permissions(bin.join("recorder"), std::fs::Permissions::from_mode(0o755)).unwrap();
        for name in ["tt", "ff", "oo", "hh"] {
            std::os::unix::fs::symlink("recorder", bin.join(name)).unwrap();
        }
        let work = directory.path().join("work");
        std::fs::create_dir(&work).unwrap();
        Some(Self { shell, program, runs: AtomicUsize::new(0), directory, work })
    }

    /// Runs `text`; with `plain`, patterns are left as they are.
    pub fn run(&self, text: &str, plain: bool) -> Run {
        // A program that outlives its shell must not write among the calls of the next.
        let record = self.directory.path().join(format!("record{}", self.runs.fetch_add(1, Ordering::Relaxed)));
        std::fs::write(&record, "").unwrap();
        let before = names(&self.work);
        let mut command = Command::new(&self.program);
        if self.shell == Shell::Bash {
            command.args(["--noprofile", "--norc"]);
        }
        if plain {
            command.arg("-f");
        }
        command
            .args(["-c", text])
            .env_clear()
            .envs(VARIABLES)
            .env("HOME", HOME)
            .env("RECORD", &record)
            .env("LC_ALL", "C.UTF-8");
        command.env("PATH", self.directory.path().join("bin")).current_dir(&self.work).process_group(0);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let group = child.id().to_string();
        let mut output = child.stdout.take().unwrap();
        // Read until every program that was started is gone, or ended when it does not end by itself.
        let (done, ended) = std::sync::mpsc::channel::<()>();
        let guard = std::thread::spawn(move || {
            if ended
                .recv_timeout(Duration::from_secs(20))
                .is_err_and(|error| error == std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                Command::new("kill").args(["-9", "--", &format!("-{group}")]).status().unwrap();
            }
        });
        output.read_to_end(&mut Vec::new()).unwrap();
        child.wait().unwrap();
        drop(done);
        guard.join().unwrap();
        let mut files = names(&self.work);
        files.retain(|name| !before.contains(name));
        if plain {
            // A program that outlives its shell stays in the directory that is gone.
            std::fs::remove_dir_all(&self.work).unwrap();
            std::fs::create_dir(&self.work).unwrap();
        }
        let run = Run { calls: calls(&std::fs::read(&record).unwrap()), files };
        std::fs::remove_file(&record).unwrap();
        run
    }
}

fn calls(record: &[u8]) -> Vec<Vec<String>> {
    let mut fields = record.split(|byte| *byte == 0).map(|field| String::from_utf8(field.to_vec()).unwrap());
    let mut calls = Vec::new();
    while let (Some(name), Some(number)) = (fields.next(), fields.next()) {
        let count: usize = number.parse().unwrap();
        calls.push([name, number].into_iter().chain(fields.by_ref().take(count)).collect());
    }
    calls
}

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
