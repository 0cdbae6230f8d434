//! What the tools that change files have in common.

use std::sync::Arc;

use agentscope_tool::backend::{Backend, BackendError, BackendErrorKind, Written};
use agentscope_tool::{
    Footprint, PermissionContext, PermissionDecision, PermissionMode, ProtectedPaths, ToolChunk, ToolError,
};

use crate::diff::Diff;
use crate::lock::FileLock;
use crate::target::{Target, failed, fault};
use crate::text::TextFormat;

/// What a call touches that changes one file.
pub(crate) fn footprint(backend: &Arc<dyn Backend>, protected: Option<&ProtectedPaths>, path: &str) -> Footprint {
    let footprint = Footprint::on(Arc::clone(backend)).writes(path);
    match protected {
        Some(protected) => footprint.with_protected_paths(protected.clone()),
        None => footprint,
    }
}

/// What a tool thinks of such a call: changes inside of the working directories are what two of the modes are for.
pub(crate) fn decision(cx: &PermissionContext) -> PermissionDecision {
    let edits = matches!(cx.mode(), PermissionMode::AcceptEdits | PermissionMode::DontAsk);
    if edits && cx.footprint().is_inside_working_directories() {
        return PermissionDecision::allow("the file is inside of a working directory");
    }
    PermissionDecision::passthrough()
}

/// Finds a file and waits until no other tool of this process writes to it.
pub(crate) async fn locked(backend: &Arc<dyn Backend>, path: &str) -> Result<(Target, FileLock), ToolError> {
    let mut target = Target::find(&**backend, path).await?;
    loop {
        let lock = FileLock::acquire(backend, &target.path).await;
        // Looked at again, now that nobody else writes; a link may lead elsewhere by now.
        let now = Target::find(&**backend, path).await?;
        if now.path == target.path {
            return Ok((now, lock));
        }
        target = now;
    }
}

/// The result of a change.
pub(crate) fn changed(
    mut message: String,
    written: &Written,
    diff: Diff,
    path: String,
    occurrences: usize,
) -> ToolChunk {
    if written.separated_links > 0 {
        let names = if written.separated_links == 1 { "name" } else { "names" };
        message.push_str(&format!(
            " The file had {} more {names} (hard links); under those, the old content is still there.",
            written.separated_links
        ));
    }
    let chunk = ToolChunk::text(message)
        .with_metadata("diff", diff.text)
        .with_metadata("file_path", path)
        .with_metadata("occurrences", occurrences);
    if diff.is_complete { chunk } else { chunk.with_metadata("diff_is_complete", false) }
}

/// A text without the byte order mark that it has in common with a file.
pub(crate) fn without_mark(text: &str, format: TextFormat) -> &str {
    if format.bom().is_empty() { text } else { text.strip_prefix('\u{feff}').unwrap_or(text) }
}

/// Text that a file cannot take.
pub(crate) fn not_in_encoding(path: &str, format: TextFormat, character: char) -> ToolError {
    let name = format.encoding_name();
    fault(format!(
        "The file `{path}` has the encoding {name}, which has no character `{character}` (U+{:04X}). Nothing was changed.",
        u32::from(character)
    ))
}

/// A file that could not be written.
pub(crate) fn not_written(error: &BackendError, target: &Target) -> ToolError {
    match error.kind() {
        BackendErrorKind::Changed | BackendErrorKind::AlreadyExists => fault(format!(
            "`{}` was changed by somebody else at this moment, so nothing was written. Read it again.",
            target.given
        )),
        _ => failed(error),
    }
}
