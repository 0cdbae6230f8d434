//! Replacing text in files.

mod explain;
mod matching;
mod replace;
mod replacing;

use std::sync::Arc;

use agentscope_tool::ProtectedPaths;
use agentscope_tool::backend::{Backend, WriteOptions};
use agentscope_tool::prelude::*;

use self::replace::replace;
use crate::blocking;
use crate::edits;
use crate::target::{Target, failed, fault};
use crate::text::TextFormat;

/// Replace a text in a file by another one.
///
/// - The file has to be read first, with Read.
/// - `old_string` has to be in the file exactly as it is there, with the same blanks and tabs, and without the line numbers
///   and the tab that Read puts before each line. It has to be there once, unless `replace_all` is true: take enough of
///   the text around it.
/// - All else in the file stays as it is, byte by byte.
#[derive(Clone, Debug, Tool)]
#[spec(concurrency_safe = false, destructive, state_injected)]
pub struct Edit {
    backend: Arc<dyn Backend>,
    protected: Option<ProtectedPaths>,
    check_read: bool,
    max_file_bytes: u64,
}

/// The arguments of [`Edit`].
#[tool_args]
pub struct EditArgs {
    /// The absolute path of the file.
    pub file_path: String,
    /// The text to replace.
    #[schemars(length(min = 1))]
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// Whether all places are changed in which the text is, and not only one.
    #[serde(default)]
    pub replace_all: bool,
}

impl Edit {
    /// Changes files of this machine.
    #[cfg(all(feature = "local", unix))]
    #[must_use]
    pub fn local() -> Self {
        Self::on(crate::local())
    }

    /// Changes files of that environment.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        Self { backend, protected: None, check_read: true, max_file_bytes: 1024 * 1024 * 1024 }
    }

    /// The paths that are only written to after somebody was asked, instead of the conversation's.
    #[must_use]
    pub fn protected_paths(mut self, paths: ProtectedPaths) -> Self {
        self.protected = Some(paths);
        self
    }

    /// Changes files that were not read before, too, and does not look whether they have changed since.
    #[must_use]
    pub fn without_read_check(mut self) -> Self {
        self.check_read = false;
        self
    }

    /// How large a file may be, in bytes, since it is held in memory. Default: 1 GiB.
    #[must_use]
    pub fn max_file_bytes(mut self, bytes: u64) -> Self {
        self.max_file_bytes = bytes;
        self
    }

    async fn edit(&self, args: EditArgs, state: &AgentState) -> Result<ToolChunk, ToolError> {
        if args.old_string.is_empty() {
            return Err(fault("`old_string` is empty. To fill an empty file, use Write.".to_owned()));
        }
        let target = Target::find(&*self.backend, &args.file_path).await?;
        target.existing()?;
        if args.old_string == args.new_string {
            return Err(fault("`old_string` and `new_string` are the same, so there is nothing to change.".to_owned()));
        }
        let (target, _lock) = edits::locked(&self.backend, &args.file_path).await?;
        target.existing()?;
        let content = self.backend.read(&target.path, self.max_file_bytes).await.map_err(|error| failed(&error))?;
        if is_binary(&content.bytes) {
            return Err(binary(&target.given));
        }
        if self.check_read {
            target.check_known(&content, state)?;
        }
        let options = WriteOptions::new().unchanged_since(content.stat);
        let (given, replace_all) = (target.given.clone(), args.replace_all);
        let limit = usize::try_from(self.max_file_bytes).unwrap_or(usize::MAX);
        let edited = blocking(move || replace(&given, content.bytes, &args, limit)).await??;
        let written = self.backend.write(&target.path, edited.content.clone(), options).await;
        let written = written.map_err(|error| edits::not_written(&error, &target))?;
        target.remember(&written.stat, Some(&edited.content), state);

        let count = edited.occurrences;
        let message = match (replace_all, count) {
            (true, 2..) => format!("Replaced all {count} occurrences in `{}`.", target.given),
            _ => format!("Replaced 1 occurrence in `{}`.", target.given),
        };
        Ok(edits::changed(message, &written, edited.diff, target.given, count))
    }
}

fn is_binary(bytes: &[u8]) -> bool {
    const HEAD: usize = 4096;
    TextFormat::of(&bytes[..bytes.len().min(HEAD)], false).is_none()
}

fn binary(path: &str) -> ToolError {
    fault(format!("`{path}` is a binary file, not text. Nothing was changed."))
}

impl ToolBody for Edit {
    type Args = EditArgs;
    type Output = Result<ToolChunk, ToolError>;

    async fn call(&self, args: EditArgs, cx: ToolContext) -> Result<ToolChunk, ToolError> {
        self.edit(args, cx.agent_state()).await
    }

    async fn footprint(&self, args: &EditArgs) -> Footprint {
        edits::footprint(&self.backend, self.protected.as_ref(), &args.file_path)
    }

    async fn check_permissions(&self, _: &EditArgs, cx: &PermissionContext) -> PermissionDecision {
        edits::decision(cx)
    }

    fn generate_suggestions(&self, _: &EditArgs, footprint: &Footprint) -> Vec<PermissionRule> {
        footprint.suggest_directories("Edit")
    }
}
