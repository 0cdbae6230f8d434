//! Cases that are run in a process of their own, so that what they need holds for nothing else.
//!
//! An ordinary user, for whom modes count; a largest size of files; variables of the environment; and named pipes,
//! since nothing but its end stops a process that waits for one.

use std::io;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::{Verdict, fixture, time_limit};

/// The option with which the program runs the one case on its standard input, in the directory that follows.
pub const ONE_CASE: &str = "--one-case";
/// The user `nobody` of most systems.
const NOBODY: u32 = 65_534;
/// How long a process may take beyond what its case may.
const GRACE: Duration = Duration::from_secs(5);

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says where the conformance program is, for programs that are another one.
pub fn set_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

/// Whether a case is not for this process.
pub(super) fn is_needed(case: &Value) -> bool {
    ["rlimit_fsize", "env", "fifos"].iter().any(|key| !case["setup"][key].is_null()) || needs_ordinary_user(case)
}

fn needs_ordinary_user(case: &Value) -> bool {
    case["setup"]["nonroot"] == true && rustix::process::geteuid().is_root()
}

/// Runs one case in another process.
pub(super) async fn run(case: &Value) -> Verdict {
    let place = match Place::new(needs_ordinary_user(case)) {
        Ok(place) => place,
        Err(error) => return Verdict::Skipped(format!("needs a process of its own, which cannot be had: {error}")),
    };
    match tokio::time::timeout(time_limit(case) + GRACE, output(&place, case)).await {
        Err(_) => Verdict::Failed("the call does not end".into()),
        Ok(Err(error)) => Verdict::Skipped(format!("needs a process of its own, which cannot be had: {error}")),
        Ok(Ok(output)) => serde_json::from_slice(&output)
            .unwrap_or_else(|_| Verdict::Failed("the process of the case ended without a verdict".into())),
    }
}

/// A program, and the directory that it works in.
struct Place {
    program: PathBuf,
    root: TempDir,
    user: Option<u32>,
    /// An ordinary user may not be able to reach where the program is; then it is here.
    _copy: Option<TempDir>,
}

impl Place {
    fn new(ordinary_user: bool) -> io::Result<Self> {
        let program = PROGRAM.get().cloned().map_or_else(std::env::current_exe, Ok)?;
        let root = tempfile::tempdir()?;
        if !ordinary_user {
            return Ok(Self { program, root, user: None, _copy: None });
        }
        chown(root.path(), Some(NOBODY), Some(NOBODY))?;
        let reachable = tempfile::Builder::new().permissions(std::fs::Permissions::from_mode(0o755)).tempdir()?;
        let copy = reachable.path().join("conformance");
        // By another program: a process that this one starts meanwhile would inherit the open copy, and no file that is
        // open for writing can be run.
        let copied = std::process::Command::new("cp").arg(program).arg(&copy).status()?;
        if !copied.success() {
            return Err(io::Error::other("the program could not be copied"));
        }
        Ok(Self { program: copy, root, user: Some(NOBODY), _copy: Some(reachable) })
    }

    fn command(&self, case: &Value) -> io::Result<Command> {
        let root = self.root.path().canonicalize()?;
        let mut command = Command::new(&self.program);
        command
            .arg(ONE_CASE)
            .arg(&root)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        command.envs(variables(case, &root));
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        Ok(command)
    }
}

fn variables(case: &Value, root: &Path) -> Vec<(String, String)> {
    let variables = case["setup"]["env"].as_object().into_iter().flatten();
    let text = |value: &Value| match fixture::filled(value, root) {
        Value::String(text) => text,
        other => other.to_string(),
    };
    variables.map(|(name, value)| (name.clone(), text(value))).collect()
}

async fn output(place: &Place, case: &Value) -> io::Result<Vec<u8>> {
    let mut child = place.command(case)?.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(case.to_string().as_bytes()).await?;
    }
    Ok(child.wait_with_output().await?.stdout)
}
