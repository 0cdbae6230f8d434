//! Removing files and directories.

use std::fs;
use std::path::PathBuf;

use agentscope_tool::backend::{BackendError, BackendErrorKind, Operation, Removal, path};

use super::file;

pub(super) fn remove(shown: &str, resolve: impl Fn(&str) -> PathBuf, what: Removal) -> Result<(), BackendError> {
    let failed = |error| BackendError::io(Operation::Remove, shown, error);
    if path::file_name(shown).is_none() {
        return Err(BackendError::new(Operation::Remove, shown, BackendErrorKind::InvalidInput)
            .because("it names no file; write the path without `.` and `..` at its end"));
    }
    // A slash at the end would follow the link.
    let target = resolve(shown.trim_end_matches('/'));
    let found = file::stat_link(&target).map_err(failed)?;
    match what {
        Removal::Tree if found.is_dir() => fs::remove_dir_all(target).map_err(failed),
        _ if found.is_dir() => Err(BackendError::new(Operation::Remove, shown, BackendErrorKind::IsADirectory)),
        _ => fs::remove_file(target).map_err(failed),
    }
}
