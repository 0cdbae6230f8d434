//! Unified diffs of what Write and Edit did to a file, bounded in size and in what they cost: only the changed places
//! and the lines around them are looked at.

mod compare;
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
    /// How many lines of the file are before both.
    pub lines_before: usize,
}

/// The places where two texts differ, those in one line joined, as many as a diff can show.
#[derive(Debug)]
pub(crate) struct Changes {
    unit: Unit,
    places: Vec<Place>,
    /// How many bytes the places have.
    bytes: usize,
    /// From where on in the old text changes were left out.
    left_out_from: Option<usize>,
}

/// The same place on both sides, in bytes.
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
        let bytes = |place: &Place| place.old.len() + place.new.len();
        match self.places.last_mut() {
            // In one line, which is shown whole or not at all.
            Some(last) if self.unit.line_feeds(&text[last.old.end..old.start]).next().is_none() => {
                self.bytes -= bytes(last);
                (last.old.end, last.new.end) = (old.end, new.end);
                self.bytes += bytes(last);
            }
            _ if self.bytes > MAX_BYTES => self.left_out_from = Some(self.unit.line_start(text, old.start)),
            _ => {
                let place = Place { old, new };
                // What is shown has signs and line ends besides.
                self.bytes += bytes(&place) + 4;
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
        let mut pieces = Vec::new();
        for place in &self.places {
            compare::pieces(self.unit, &sides, self.whole_lines(place, &sides), &mut pieces);
        }
        let limit = self.left_out_from.unwrap_or(sides.old.len());
        let mut renderer = Renderer::new(headers, &sides, limit);
        let all = renderer.write(&pieces);
        Diff { text: renderer.text, is_complete: all && self.left_out_from.is_none() }
    }

    /// The lines that a place is in.
    fn whole_lines(&self, place: &Place, sides: &Sides<'_>) -> Place {
        let before = place.old.start - self.unit.line_start(sides.old, place.old.start);
        let ended = self.unit.is_ended(&sides.old[..place.old.end]) && self.unit.is_ended(&sides.new[..place.new.end]);
        let behind = if ended { 0 } else { self.unit.line_end(sides.old, place.old.end) - place.old.end };
        let widen = |range: &Range<usize>| range.start - before..range.end + behind;
        Place { old: widen(&place.old), new: widen(&place.new) }
    }
}

/// The part of a text that a diff of one place looks at.
pub(crate) fn window(text: &[u8], place: &Range<usize>, unit: Unit) -> Range<usize> {
    let (start, _) = lines_back(text, unit.line_start(text, place.start), unit);
    let end = unit.line_end(text, place.end);
    start..lines_on(text, end, unit, text.len())
}

/// Where the lines of context before a line begin, and how many they are.
fn lines_back(text: &[u8], line: usize, unit: Unit) -> (usize, usize) {
    let (mut at, mut count) = (line, 0);
    while let Some(feed) = at.checked_sub(unit.width()).filter(|_| count < CONTEXT) {
        at = unit.line_start(text, feed);
        count += 1;
    }
    (at, count)
}

/// Where the lines of context behind a line end, at most at `limit`.
fn lines_on(text: &[u8], line: usize, unit: Unit, limit: usize) -> usize {
    let mut end = line;
    for _ in 0..CONTEXT {
        if end < limit {
            end = unit.line_end(text, end);
        }
    }
    end
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
