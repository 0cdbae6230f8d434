//! From a file's bytes to its bytes after an edit.

use std::ops::Range;

use agentscope_tool::ToolError;
use agentscope_tool::backend::Bytes;

use super::explain;
use super::matching::{Needle, Search};
use super::replacing::Replacement;
use super::{EditArgs, binary};
use crate::diff::{self, Changes, Diff, Sides};
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
pub(super) fn replace(path: &str, bytes: Bytes, args: &EditArgs, limit: usize) -> Result<Edited, ToolError> {
    let format = TextFormat::of(&bytes, true).ok_or_else(|| binary(path))?;
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
    let not_in_encoding = |character| edits::not_in_encoding(path, format, character);
    let new = needle(new_string, format).map_err(not_in_encoding);
    let given = format.encode(new_string).map_err(not_in_encoding);
    let replacement = || Ok::<_, ToolError>(Replacement::new(&old, new?, given?.into_owned(), ends, unit));

    if args.replace_all {
        if search.occurrences().next().is_none() {
            return Err(not_found());
        }
        let file = File { path, bom, body, format, unit, limit };
        return replace_all(&file, &search, &replacement()?);
    }
    let mut candidates = search.candidates();
    let Some(place) = candidates.next() else { return Err(not_found()) };
    if candidates.next().is_some() {
        return Err(fault(explain::ambiguous(path, body, unit, &search)));
    }
    drop(candidates);
    let mut replacing = Vec::new();
    replacement()?.append(&mut replacing, body, place.clone());
    if replacing == body[place.clone()] {
        return Err(nothing_to_do(path));
    }
    if bytes.len() - place.len() + replacing.len() > limit {
        return Err(too_large(path, limit));
    }
    let diff = diff_of_one(path, body, &place, &replacing, format);
    let place = bom.len() + place.start..bom.len() + place.end;
    drop(search);
    // Nobody else has the bytes, so that they are changed where they are, and a large file needs no second place.
    let mut content = Vec::from(bytes);
    content.splice(place, replacing);
    Ok(Edited { content: content.into(), occurrences: 1, diff })
}

/// What is known of the file.
struct File<'a> {
    path: &'a str,
    bom: &'a [u8],
    body: &'a [u8],
    format: TextFormat,
    unit: Unit,
    limit: usize,
}

fn replace_all(file: &File<'_>, search: &Search<'_>, replacement: &Replacement) -> Result<Edited, ToolError> {
    let File { path, bom, body, format, unit, limit } = *file;
    let mut content = Vec::with_capacity(bom.len() + body.len() + replacement.most_bytes());
    content.extend_from_slice(bom);
    let mut changes = Changes::new(unit);
    let (mut from, mut occurrences, mut differs) = (0, 0, false);
    for place in search.occurrences() {
        content.extend_from_slice(&body[from..place.start]);
        let start = content.len() - bom.len();
        replacement.append(&mut content, body, place.clone());
        if content.len() > limit {
            return Err(too_large(path, limit));
        }
        differs |= content[bom.len() + start..] != body[place.clone()];
        changes.push(body, place.clone(), start..content.len() - bom.len());
        from = place.end;
        occurrences += 1;
    }
    content.extend_from_slice(&body[from..]);
    if !differs {
        return Err(nothing_to_do(path));
    }
    let sides = Sides { old: body, new: &content[bom.len()..], format, lines_before: 0 };
    let diff = changes.diff(Some(path), path, sides);
    Ok(Edited { content: content.into(), occurrences, diff })
}

/// The diff of a text in which one place changes.
fn diff_of_one(path: &str, body: &[u8], place: &Range<usize>, replacing: &[u8], format: TextFormat) -> Diff {
    let unit = Unit::of(format);
    let around = diff::window(body, place, unit);
    let new = [&body[around.start..place.start], replacing, &body[place.end..around.end]].concat();
    let start = place.start - around.start;
    let mut changes = Changes::new(unit);
    changes.push(&body[around.clone()], start..start + place.len(), start..start + replacing.len());
    let lines_before = unit.count_line_feeds(&body[..around.start]);
    changes.diff(Some(path), path, Sides { old: &body[around], new: &new, format, lines_before })
}

fn too_large(path: &str, limit: usize) -> ToolError {
    fault(format!("Nothing was changed, because `{path}` would have more than {limit} bytes then."))
}

fn nothing_to_do(path: &str) -> ToolError {
    fault(format!(
        "The change would leave `{path}` as it is: `old_string` and `new_string` differ only in how their lines end, and \
         lines keep the ends that the file has."
    ))
}

/// A text in the file's encoding, or the first character that this does not have.
fn needle(text: &str, format: TextFormat) -> Result<Needle, char> {
    let lf = with_lf(text);
    let crlf = format.encode(&with_crlf(&lf))?.into_owned();
    Ok(Needle { lf: format.encode(&lf)?.into_owned(), crlf })
}

#[cfg(test)]
mod tests;
