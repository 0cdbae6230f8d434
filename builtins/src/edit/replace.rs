//! From a file's bytes to its bytes after an edit.

use agentscope_tool::ToolError;
use agentscope_tool::backend::Bytes;

use super::explain;
use super::matching::{Needle, Search};
use super::replacing::Replacement;
use super::{EditArgs, binary};
use crate::diff::{Changes, Diff, Sides};
use crate::edits;
use crate::target::fault;
use crate::text::TextFormat;
use crate::unit::{LineEnds, Unit, with_crlf, with_lf};

/// A file's content after a change.
#[derive(Debug)]
pub(super) struct Edited {
    pub(super) content: Bytes,
    pub(super) occurrences: usize,
    pub(super) diff: Diff,
}

/// Does what the arguments say; the result may have `limit` bytes.
pub(super) fn replace(path: &str, bytes: &[u8], args: &EditArgs, limit: usize) -> Result<Edited, ToolError> {
    let format = TextFormat::of(bytes, true).ok_or_else(|| binary(path))?;
    let (bom, body) = bytes.split_at(format.bom().len());
    let unit = Unit::of(format);
    // Read does not show the mark at the start of the file; it is no part of the text.
    let without_mark = |text| edits::without_mark(text, format);
    let (old_string, new_string) = (without_mark(&args.old_string), without_mark(&args.new_string));
    let not_found = || fault(explain::not_found(path, body, format, old_string));
    // What cannot be written in the file's encoding is not in the file.
    let old = needle(old_string, format).map_err(|_| not_found())?;
    if old.lf.is_empty() {
        return Err(not_found());
    }
    let has_line_end = old.has_line_end() || new_string.contains('\n');
    let ends = if has_line_end { unit.line_ends(body) } else { LineEnds::None };
    let search = Search::new(body, format, ends, &old);
    if search.occurrences().next().is_none() {
        return Err(not_found());
    }
    if !args.replace_all && search.is_ambiguous() {
        return Err(fault(explain::ambiguous(path, body, unit, &search)));
    }
    let not_in_encoding = |character| edits::not_in_encoding(path, format, character);
    let new = needle(new_string, format).map_err(not_in_encoding)?;
    let given = format.encode(new_string).map_err(not_in_encoding)?.into_owned();
    let replacement = Replacement::new(&old, new, given, ends, unit);

    let mut content = Vec::with_capacity(bytes.len() + replacement.most_bytes());
    content.extend_from_slice(bom);
    let mut changes = Changes::new(unit);
    let (mut from, mut occurrences) = (0, 0);
    for place in search.occurrences() {
        content.extend_from_slice(&body[from..place.start]);
        let start = content.len() - bom.len();
        replacement.append(&mut content, body, place.clone());
        if content.len() > limit {
            return Err(fault(format!(
                "With all occurrences replaced, `{path}` would have more than {limit} bytes. Nothing was changed."
            )));
        }
        changes.push(body, place.clone(), start..content.len() - bom.len());
        from = place.end;
        occurrences += 1;
    }
    content.extend_from_slice(&body[from..]);
    if content == bytes {
        return Err(fault(format!(
            "The change would leave `{path}` as it is: `old_string` and `new_string` differ only in how their lines end, \
             and lines keep the ends that the file has."
        )));
    }
    let sides = Sides { old: body, new: &content[bom.len()..], format };
    let diff = changes.diff(Some(path), path, sides);
    Ok(Edited { content: content.into(), occurrences, diff })
}

/// A text in the file's encoding, or the first character that this does not have.
fn needle(text: &str, format: TextFormat) -> Result<Needle, char> {
    let lf = with_lf(text);
    let crlf = format.encode(&with_crlf(&lf))?.into_owned();
    Ok(Needle { lf: format.encode(&lf)?.into_owned(), crlf })
}

#[cfg(test)]
mod tests;
