//! What the tools that change files have in common.

use std::borrow::Cow;
use std::sync::Arc;

use agentscope_tool::backend::{Backend, BackendError, BackendErrorKind};
use agentscope_tool::{Footprint, PermissionContext, PermissionDecision, PermissionMode, ProtectedPaths, ToolError};

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

/// The text of a file without its byte order mark: as it is, or decoded from UTF-16. Lines end with the byte LF in it.
pub(crate) fn as_text(bytes: &[u8], format: TextFormat) -> Cow<'_, [u8]> {
    let bytes = &bytes[format.bom().len()..];
    match format.is_utf16() {
        false => Cow::Borrowed(bytes),
        true => Cow::Owned(format.decode(bytes).0.into_owned().into_bytes()),
    }
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
