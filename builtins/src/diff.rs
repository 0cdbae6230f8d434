//! Unified diffs of what Write and Edit did to a file, bounded in size and in what they cost: only the changed places
//! and the lines around them are looked at.

mod render;

use std::ops::Range;

use self::render::Renderer;
use crate::text::TextFormat;
use crate::unit::Unit;

/// How many bytes of hunks a diff has at most. What does not fit is left out, in whole lines, and
/// [`Diff::is_complete`] says so.
pub(crate) const MAX_BYTES: usize = 256 * 1024;

/// Unchanged lines before and behind a change.
const CONTEXT: usize = 3;

/// A unified diff.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Diff {
    /// The headers and the hunks; empty when nothing has changed.
    pub text: String,
    /// Whether every change is in it.
    pub is_complete: bool,
}

/// The two sides of a diff: texts of one encoding without byte order marks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<'a> {
    pub old: &'a [u8],
    pub new: &'a [u8],
    pub format: TextFormat,
}

/// The places where two texts differ, those near each other joined, as many as a diff can show.
#[derive(Debug)]
pub(crate) struct Changes {
    unit: Unit,
    places: Vec<Place>,
    /// How many bytes the places have.
    bytes: usize,
    /// From where on in the old text changes were left out.
    left_out_from: Option<usize>,
}

#[derive(Clone, Debug)]
struct Place {
    old: Range<usize>,
    new: Range<usize>,
}

impl Changes {
    pub(crate) fn new(unit: Unit) -> Self {
        Self { unit, places: Vec::new(), bytes: 0, left_out_from: None }
    }

    /// The one place where texts differ that were compared from both ends.
    pub(crate) fn between(old: &[u8], new: &[u8], unit: Unit) -> Self {
        let whole = |bytes: usize| bytes - bytes % unit.width();
        let start = whole(common_prefix(old, new));
        let end = whole(common_suffix(&old[start..], &new[start..]));
        let mut changes = Self::new(unit);
        if old.len() != new.len() || start < old.len() {
            changes.push(old, start..old.len() - end, start..new.len() - end);
        }
        changes
    }

    /// Adds a place behind all others.
    pub(crate) fn push(&mut self, text: &[u8], old: Range<usize>, new: Range<usize>) {
        if self.left_out_from.is_some() {
            return;
        }
        let near = self.places.last().map(|last| {
            // How many line ends lie in between, as far as it matters.
            self.unit.line_feeds(&text[last.old.end..old.start]).take(2 * CONTEXT + 2).count()
        });
        // A line is shown whole or not at all.
        if near != Some(0) && self.bytes > MAX_BYTES {
            self.left_out_from = Some(self.unit.line_start(text, old.start));
            return;
        }
        let bytes = |place: &Place| place.old.len() + place.new.len();
        match (self.places.last_mut(), near) {
            (Some(last), Some(lines)) if lines <= 2 * CONTEXT + 1 => {
                self.bytes -= bytes(last);
                (last.old.end, last.new.end) = (old.end, new.end);
                self.bytes += bytes(last);
            }
            _ => {
                let place = Place { old, new };
                // A hunk takes some bytes besides what has changed.
                self.bytes += bytes(&place) + 16;
                self.places.push(place);
            }
        }
    }

    /// The diff. `old_path` is none for a file that was not there before.
    pub(crate) fn diff(&self, old_path: Option<&str>, new_path: &str, sides: Sides<'_>) -> Diff {
        let headers = headers(old_path, new_path);
        if self.places.is_empty() {
            // A new file that is empty is a change without a hunk.
            let text = if old_path.is_none() { headers } else { String::new() };
            return Diff { text, is_complete: true };
        }
        let mut renderer = Renderer::new(headers);
        let mut complete = self.left_out_from.is_none();
        let (mut counted, mut line, mut moved) = (0, 0, 0);
        for place in &self.places {
            let (old, new) = self.window(sides.old, place);
            line += self.unit.count_line_feeds(&sides.old[counted..old.start]);
            counted = old.start;
            let (old, new) = (&sides.old[old], &sides.new[new]);
            if !renderer.compare(old, new, &sides, line, line.saturating_add_signed(moved)) {
                complete = false;
                break;
            }
            let lines = |text| isize::try_from(self.unit.count_line_feeds(text)).unwrap_or(isize::MAX);
            moved += lines(new) - lines(old);
        }
        Diff { text: renderer.text, is_complete: complete }
    }

    /// The whole lines of a place and those around it, on both sides.
    fn window(&self, text: &[u8], place: &Place) -> (Range<usize>, Range<usize>) {
        let mut start = self.unit.line_start(text, place.old.start);
        for _ in 0..CONTEXT {
            match start.checked_sub(self.unit.width()) {
                Some(feed) => start = self.unit.line_start(text, feed),
                None => break,
            }
        }
        let mut end = place.old.end;
        let limit = self.left_out_from.unwrap_or(text.len());
        // One more than the context: the line that the change ends in.
        for _ in 0..=CONTEXT {
            if end < limit {
                end = self.unit.line_end(text, end);
            }
        }
        (start..end, place.new.start - (place.old.start - start)..place.new.end + (end - place.old.end))
    }
}

/// The sentence that stands for the diff of a file that is not text.
pub(crate) fn of_binary(path: &str) -> Diff {
    let (old, new) = (header('a', path), header('b', path));
    Diff { text: format!("Binary files {old} and {new} differ\n"), is_complete: true }
}

/// The headers alone, for a file that is too large to be compared.
pub(crate) fn of_large(path: &str) -> Diff {
    Diff { text: headers(Some(path), path), is_complete: false }
}

fn headers(old_path: Option<&str>, new_path: &str) -> String {
    let old = old_path.map_or_else(|| "/dev/null".into(), |path| header('a', path));
    format!("--- {old}\n+++ {}\n", header('b', new_path))
}

/// A path as git writes it: below `a` or `b`, in quotes when it holds what would end the line or the quotes.
fn header(side: char, path: &str) -> String {
    let path = path.trim_start_matches('/');
    if !path.contains(|c: char| c.is_ascii_control() || matches!(c, '"' | '\\')) {
        return format!("{side}/{path}");
    }
    let mut quoted = format!("\"{side}/");
    for c in path.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_ascii_control() => quoted.push_str(&format!("\\{:03o}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// How many bytes of large pieces are compared at once.
const STRIDE: usize = 4096;

fn common_prefix(one: &[u8], other: &[u8]) -> usize {
    let pieces = one.chunks(STRIDE).zip(other.chunks(STRIDE)).take_while(|(one, other)| one == other);
    let at: usize = pieces.map(|(piece, _)| piece.len()).sum();
    at + one[at..].iter().zip(&other[at..]).take_while(|(one, other)| one == other).count()
}

fn common_suffix(one: &[u8], other: &[u8]) -> usize {
    let pieces = one.rchunks(STRIDE).zip(other.rchunks(STRIDE)).take_while(|(one, other)| one == other);
    let at: usize = pieces.map(|(piece, _)| piece.len()).sum();
    let rest = one[..one.len() - at].iter().rev().zip(other[..other.len() - at].iter().rev());
    at + rest.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests;
