//! Cases that need an ordinary user, run by the administrator: in a process of an ordinary user's.

use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

use super::Verdict;

/// The option with which the program runs one case from its standard input.
pub const ONE_CASE: &str = "--one-case";
/// The user `nobody` of most systems.
const NOBODY: u32 = 65_534;

static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Says where the conformance program is, for programs that are another one.
pub fn set_program(path: impl Into<PathBuf>) {
    let _ = PROGRAM.set(path.into());
}

/// Whether a case cannot be run by this process itself.
pub(super) fn is_needed(case: &Value) -> bool {
    case["setup"]["nonroot"] == true && rustix::process::geteuid().is_root()
}

/// Runs one case in another process.
pub(super) fn run(case: &Value) -> Verdict {
    match verdict(case) {
        Ok(verdict) => verdict,
        Err(error) => Verdict::Skipped(format!("needs an ordinary user, and no process of one can be had: {error}")),
    }
}

fn verdict(case: &Value) -> io::Result<Verdict> {
    let program = PROGRAM.get().cloned().map_or_else(std::env::current_exe, Ok)?;
    // An ordinary user may not be able to reach where this program is.
    let reachable =
        tempfile::Builder::new().permissions(std::os::unix::fs::PermissionsExt::from_mode(0o755)).tempdir()?;
    let copy = reachable.path().join("conformance");
    std::fs::copy(program, &copy)?;
    let output = output(&copy, case)?;
    serde_json::from_slice(&output).map_err(io::Error::other)
}

fn output(program: &Path, case: &Value) -> io::Result<Vec<u8>> {
    let mut command = Command::new(program);
    command.arg(ONE_CASE).stdin(Stdio::piped()).stdout(Stdio::piped()).current_dir("/").uid(NOBODY).gid(NOBODY);
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(case.to_string().as_bytes())?;
    }
    Ok(child.wait_with_output()?.stdout)
}
