//! Writing whole files.

use std::borrow::Cow;
use std::sync::Arc;

use agentscope_tool::ProtectedPaths;
use agentscope_tool::backend::{Backend, BackendErrorKind, ByteRange, Bytes, FileContent, Stat, WriteOptions};
use agentscope_tool::prelude::*;

use crate::blocking;
use crate::diff::{self, Changes, Diff, Sides};
use crate::edits;
use crate::target::{Target, failed, fault};
use crate::text::TextFormat;
use crate::unit::{LineEnds, Unit, with_crlf};

/// Files up to this size, in bytes, are read for the diff and for how they write their text.
const READ: u64 = 64 * 1024 * 1024;

/// How many bytes of larger ones are read, for how they write their text.
const HEAD: u64 = 1024 * 1024;

/// Write a file: a new one, or all of the content of one that is there.
///
/// - `file_path` has to be absolute. Directories that are missing are made.
/// - A file that is there has to be read first, with Read. To change a part of it, use Edit instead.
/// - The content is written as it is. A file that is there keeps its encoding, and its lines keep ending as they did.
#[derive(Clone, Debug, Tool)]
#[spec(concurrency_safe = false, destructive, state_injected)]
pub struct Write {
    backend: Arc<dyn Backend>,
    protected: Option<ProtectedPaths>,
    check_read: bool,
}

/// The arguments of [`Write`].
#[tool_args]
pub struct WriteArgs {
    /// The absolute path of the file.
    pub file_path: String,
    /// All that the file is to hold.
    pub content: String,
}

impl Write {
    /// Writes files of this machine.
    #[cfg(all(feature = "local", unix))]
    #[must_use]
    pub fn local() -> Self {
        Self::on(crate::local())
    }

    /// Writes files of that environment.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        Self { backend, protected: None, check_read: true }
    }

    /// The paths that are only written to after somebody was asked, instead of the conversation's.
    #[must_use]
    pub fn protected_paths(mut self, paths: ProtectedPaths) -> Self {
        self.protected = Some(paths);
        self
    }

    /// Writes files that were not read before, too, and does not look whether they have changed since.
    #[must_use]
    pub fn without_read_check(mut self) -> Self {
        self.check_read = false;
        self
    }

    async fn write(&self, args: WriteArgs, state: &AgentState) -> Result<ToolChunk, ToolError> {
        let (target, _lock) = edits::locked(&self.backend, &args.file_path).await?;
        let old = self.old_content(&target, state).await?;
        let options = match &old {
            Old::Nothing => WriteOptions::new().create_new(),
            Old::Content(content) => WriteOptions::new().unchanged_since(content.stat),
            Old::Large(stat, _) => WriteOptions::new().unchanged_since(*stat),
        };
        let given = target.given.clone();
        let prepared = blocking(move || prepare(&given, args.content, old)).await??;
        let written = self.backend.write(&target.path, prepared.content.clone(), options).await;
        let written = written.map_err(|error| edits::not_written(&error, &target))?;
        target.remember(&written.stat, Some(&prepared.content), state);

        let lines = prepared.lines;
        let noun = if lines == 1 { "line" } else { "lines" };
        let mut message = format!("`{}` has been written ({lines} {noun}).", target.given);
        message.extend(prepared.note);
        Ok(edits::changed(message, &written, prepared.diff, target.given, 1))
    }

    /// What is there, if the agent may replace it.
    async fn old_content(&self, target: &Target, state: &AgentState) -> Result<Old, ToolError> {
        let Some(stat) = target.stat else { return Ok(Old::Nothing) };
        match self.backend.read(&target.path, READ).await {
            Ok(content) => {
                if self.check_read {
                    target.check_known(&content, state)?;
                }
                Ok(Old::Content(content))
            }
            Err(error) if error.kind() == BackendErrorKind::TooLarge => {
                if self.check_read {
                    target.check_known(&FileContent::new(stat, Bytes::new()), state)?;
                }
                let head = self.backend.read_stream(&target.path, ByteRange::from(0..HEAD)).await;
                let head = head.map_err(|error| failed(&error))?.collect(HEAD).await.map_err(|error| failed(&error))?;
                Ok(Old::Large(stat, head.bytes))
            }
            Err(error) => Err(failed(&error)),
        }
    }
}

/// What a file holds before it is written.
enum Old {
    Nothing,
    Content(FileContent),
    /// The first bytes of what is too much to look at.
    Large(Stat, Bytes),
}

/// What is to be written, and what to say about it.
struct Prepared {
    content: Bytes,
    lines: usize,
    diff: Diff,
    note: Option<String>,
}

fn prepare(path: &str, content: String, old: Old) -> Result<Prepared, ToolError> {
    let mut lines = Unit::Byte.count_line_feeds(content.as_bytes());
    lines += usize::from(!content.is_empty() && !content.ends_with('\n'));
    let (old, is_whole) = match old {
        Old::Nothing => {
            let diff = compared(None, path, b"", content.as_bytes(), TextFormat::PLAIN);
            return Ok(Prepared { content: content.into(), lines, diff, note: None });
        }
        Old::Large(_, head) => (head, false),
        Old::Content(old) => (old.bytes, true),
    };
    let Some(format) = TextFormat::of(&old, is_whole) else {
        let diff = diff::of_binary(path);
        return Ok(Prepared { content: content.into(), lines, diff, note: None });
    };
    let (bom, old) = old.split_at(format.bom().len());
    let mut notes = Vec::new();
    let mut text = Cow::Borrowed(edits::without_mark(&content, format));
    // Read does not show carriage returns, so whoever writes none means none of the lines to end otherwise.
    if Unit::of(format).line_ends(old) == LineEnds::CrLf && !text.contains("\r\n") && text.contains('\n') {
        notes.push("its lines still end with CRLF".to_owned());
        text = with_crlf(&text).into_owned().into();
    }
    notes.extend(format.name().map(|name| format!("its encoding is still {name}")));
    let encoded = format.encode(&text).map_err(|character| edits::not_in_encoding(path, format, character))?;
    let diff = match is_whole {
        true => compared(Some(path), path, old, &encoded, format),
        false => diff::of_large(path),
    };
    let note = (!notes.is_empty()).then(|| format!(" As before, {}.", notes.join(", and ")));
    Ok(Prepared { content: [bom, &encoded].concat().into(), lines, diff, note })
}

fn compared(old_path: Option<&str>, path: &str, old: &[u8], new: &[u8], format: TextFormat) -> Diff {
    Changes::between(old, new, Unit::of(format)).diff(old_path, path, Sides { old, new, format, lines_before: 0 })
}

impl ToolBody for Write {
    type Args = WriteArgs;
    type Output = Result<ToolChunk, ToolError>;

    async fn call(&self, args: WriteArgs, cx: ToolContext) -> Result<ToolChunk, ToolError> {
        if args.file_path.is_empty() {
            return Err(fault("`file_path` is empty; it has to be an absolute path.".to_owned()));
        }
        self.write(args, cx.agent_state()).await
    }

    async fn footprint(&self, args: &WriteArgs) -> Footprint {
        edits::footprint(&self.backend, self.protected.as_ref(), &args.file_path)
    }

    async fn check_permissions(&self, _: &WriteArgs, cx: &PermissionContext) -> PermissionDecision {
        edits::decision(cx)
    }

    fn generate_suggestions(&self, _: &WriteArgs, footprint: &Footprint) -> Vec<PermissionRule> {
        footprint.suggest_directories("Write")
    }
}

#[cfg(test)]
mod tests {
    use agentscope_tool::backend::{FileId, FileKind, FileTime};

    use super::*;

    #[test]
    fn a_file_that_is_too_large_to_be_compared_keeps_how_it_writes_its_text() {
        let head = Bytes::from("\u{feff}one\r\ntwo\r\n");
        let stat = Stat {
            kind: FileKind::File,
            size: 1 << 40,
            mtime: FileTime::default(),
            ctime: FileTime::default(),
            mode: 0o644,
            id: FileId { device: 0, inode: 0 },
            links: 1,
        };
        let prepared = prepare("/w/a", "new\nlines\n".into(), Old::Large(stat, head)).unwrap();
        assert_eq!(prepared.content, "\u{feff}new\r\nlines\r\n");
        assert_eq!((prepared.diff.text.as_str(), prepared.diff.is_complete), ("--- a/w/a\n+++ b/w/a\n", false));
    }
}
