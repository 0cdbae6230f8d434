//! Replacing text in files.

mod explain;
mod matching;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use agentscope_tool::ProtectedPaths;
use agentscope_tool::backend::{Backend, Bytes, WriteOptions};
use agentscope_tool::prelude::*;

use crate::diff::Change;
use crate::edits;
use crate::target::{Target, failed, fault};
use crate::text::{LineEnd, TextFormat, with_line_ends};
use crate::{blocking, lock};
use matching::{Needle, Which};

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
        let _guard = lock::exclusive(&target.path).await;
        let content = self.backend.read(&target.path, self.max_file_bytes).await.map_err(|error| failed(&error))?;
        if is_binary(&content.bytes) {
            return Err(binary(&target.given));
        }
        if self.check_read {
            target.check_known(&content, state)?;
        }
        let options = WriteOptions::new().unchanged_since(content.stat);
        let (given, replace_all) = (target.given.clone(), args.replace_all);
        let edited = blocking(move || replace(&given, &content.bytes, &args)).await??;
        let written = self.backend.write(&target.path, edited.content.clone(), options).await;
        let written = written.map_err(|error| edits::not_written(&error, &target))?;
        target.remember(&written.stat, Some(&edited.content), state);

        let count = edited.occurrences;
        let message = match (replace_all, count) {
            (true, 2..) => format!("Replaced all {count} occurrences in `{}`.", target.given),
            _ => format!("Replaced 1 occurrence in `{}`.", target.given),
        };
        Ok(ToolChunk::text(message)
            .with_metadata("diff", edited.diff)
            .with_metadata("file_path", target.given)
            .with_metadata("occurrences", count))
    }
}

/// A file's content after a change.
struct Edited {
    content: Bytes,
    occurrences: usize,
    diff: String,
}

fn replace(path: &str, bytes: &[u8], args: &EditArgs) -> Result<Edited, ToolError> {
    let format = TextFormat::of(bytes, true).ok_or_else(|| binary(path))?;
    let text = edits::as_text(bytes, format);
    if format.is_utf16()
        && format.encode(&String::from_utf8_lossy(&text)).ok().as_deref() != Some(&bytes[format.bom().len()..])
    {
        let name = format.encoding_name();
        return Err(fault(format!(
            "`{path}` is not valid {name} throughout, so that changing it could lose something."
        )));
    }
    // In memory, UTF-16 has become UTF-8.
    let inner = if format.is_utf16() { TextFormat::PLAIN } else { format };
    let encode = |text: &str| match inner.encode(text) {
        Ok(bytes) => Ok(bytes.into_owned()),
        Err(character) => Err(edits::not_in_encoding(path, inner, character)),
    };
    // What cannot be written in the file's encoding is not in the file.
    let which = if args.replace_all { Which::All } else { Which::Candidates };
    let needle = encode(&args.old_string).ok().map(Needle::new);
    let places = needle.as_ref().map(|needle| needle.find(&text, inner, which)).unwrap_or_default();
    if places.is_empty() {
        return Err(fault(explain::not_found(path, &inner.decode(&text).0, &args.old_string)));
    }
    if places.len() > 1 && !args.replace_all {
        return Err(fault(explain::ambiguous(path, &text, &places)));
    }

    let mut new = Vec::with_capacity(text.len() + args.new_string.len());
    let mut at = 0;
    let (mut lf, mut crlf) = (None, None);
    for place in &places {
        let replacement = match line_end(&text, place) {
            Some(end) => {
                let slot = if end == LineEnd::Lf { &mut lf } else { &mut crlf };
                match slot {
                    Some(done) => &*done,
                    None => &*slot.insert(encode(&with_line_ends(&args.new_string, end))?),
                }
            }
            None => &*lf.insert(encode(&args.new_string)?),
        };
        new.extend_from_slice(&text[at..place.start]);
        new.extend_from_slice(replacement);
        at = place.end;
    }
    new.extend_from_slice(&text[at..]);
    if *new == *text {
        return Err(fault(format!(
            "The change would leave `{path}` as it is: `old_string` and `new_string` differ only in how their lines end."
        )));
    }
    let diff = Change { path, old: Some(&text), new: &new, format: inner }.unified();
    let content = match (format.is_utf16(), format.bom()) {
        (true, bom) => {
            let text = String::from_utf8_lossy(&new);
            let encoded: Cow<'_, [u8]> = format.encode(&text).unwrap_or_default();
            [bom, &encoded].concat().into()
        }
        (false, b"") => new.into(),
        (false, bom) => [bom, &new].concat().into(),
    };
    Ok(Edited { content, occurrences: places.len(), diff })
}

fn is_binary(bytes: &[u8]) -> bool {
    const HEAD: usize = 4096;
    TextFormat::of(&bytes[..bytes.len().min(HEAD)], false).is_none()
}

fn binary(path: &str) -> ToolError {
    fault(format!("`{path}` is a binary file, not text. Nothing was changed."))
}

/// How the lines of what takes a place have to end: as those that were there, or else as those around it.
fn line_end(text: &[u8], place: &Range<usize>) -> Option<LineEnd> {
    let at = if text[place.clone()].contains(&b'\n') { place.start } else { place.end };
    LineEnd::near(text, at)
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
