//! Where a search begins.

use agentscope_tool::ToolError;
use agentscope_tool::backend::{Backend, BackendErrorKind, Stat, path};

/// The path that a call names, or the current directory. An empty one counts as none.
pub(crate) fn given(path: Option<&str>) -> &str {
    path.filter(|path| !path.is_empty()).unwrap_or(".")
}

/// The absolute path of what a call names, without `.` and `//`; links stay as they are written.
///
/// # Errors
/// When the environment cannot say where the path leads.
pub(crate) async fn absolute(backend: &dyn Backend, given: &str) -> Result<String, ToolError> {
    if given.split('/').any(|name| name == "..") {
        // What `..` means depends on the links before it.
        return backend.canonicalize(given).await.map_err(|error| ToolError::failed(error.to_string()));
    }
    let joined = if backend.is_absolute(given) {
        given.to_owned()
    } else {
        let cwd = backend.cwd().await.map_err(|error| ToolError::failed(error.to_string()))?;
        backend.join(&cwd, given)
    };
    Ok(fold(&joined))
}

fn fold(path: &str) -> String {
    let names: Vec<_> = path.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
    format!("/{}", names.join("/"))
}

/// What is at the path of a call.
///
/// # Errors
/// When there is nothing, or it may not be looked at.
pub(crate) async fn look(backend: &dyn Backend, absolute: &str) -> Result<Stat, ToolError> {
    backend.stat(absolute).await.map_err(|error| {
        ToolError::failed(match error.kind() {
            BackendErrorKind::NotFound | BackendErrorKind::NotADirectory => {
                format!("`{}` does not exist; check the path, or look for it with a pattern", absolute.escape_debug())
            }
            _ => format!("cannot look at `{}`: {}", absolute.escape_debug(), error.reason()),
        })
    })
}

/// The path of something below a directory.
pub(crate) fn below(directory: &[u8], rest: &[u8]) -> Vec<u8> {
    let slash: &[u8] = if directory.ends_with(b"/") { b"" } else { b"/" };
    [directory, slash, rest].concat()
}

/// The directory of a file, and its name.
pub(crate) fn parts(absolute: &str) -> (&str, &str) {
    (path::parent(absolute).unwrap_or("/"), path::file_name(absolute).unwrap_or_default())
}
