//! Lines that differ, as hunks.

use std::fmt::Write as _;
use std::ops::Range;

use super::{CONTEXT, MAX_BYTES, Place, Sides, lines_back, lines_on};
use crate::unit::Unit;

/// Writes hunks until there are enough.
pub(super) struct Renderer<'a> {
    pub(super) text: String,
    room: usize,
    sides: &'a Sides<'a>,
    unit: Unit,
    /// Where what is known of the old text ends.
    limit: usize,
}

/// Lines that differ, in bytes and by number; these count from 0.
struct Change {
    place: Place,
    old: Range<usize>,
    new: Range<usize>,
}

impl<'a> Renderer<'a> {
    pub(super) fn new(headers: String, sides: &'a Sides<'a>, limit: usize) -> Self {
        Self { text: headers, room: MAX_BYTES, sides, unit: Unit::of(sides.format), limit }
    }

    /// Writes the hunks of all pieces, which are whole lines. Whether there was room for them.
    pub(super) fn write(&mut self, pieces: &[Place]) -> bool {
        let before = self.sides.lines_before;
        let (mut old, mut new, mut counted) = (before, before, 0);
        let changes: Vec<Change> = pieces
            .iter()
            .map(|place| {
                let unchanged = self.unit.count_line_feeds(&self.sides.old[counted..place.old.start]);
                counted = place.old.end;
                let start = (old + unchanged, new + unchanged);
                old = start.0 + self.unit.count_lines(&self.sides.old[place.old.clone()]);
                new = start.1 + self.unit.count_lines(&self.sides.new[place.new.clone()]);
                Change { place: place.clone(), old: start.0..old, new: start.1..new }
            })
            .collect();
        let near = |one: &Change, next: &Change| next.old.start - one.old.end <= 2 * CONTEXT;
        changes.chunk_by(near).all(|changes| self.hunk(changes))
    }

    /// Writes one hunk; when there is no room for all of it, its first lines. Whether all of it is there.
    fn hunk(&mut self, changes: &[Change]) -> bool {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return true };
        let sides = self.sides;
        let (mut at, before) = lines_back(sides.old, first.place.old.start, self.unit);
        let mut hunk = Body::new(self.room, first.old.start - before, first.new.start - before);
        for Change { place, .. } in changes {
            // Of a large change, something of both sides.
            let half = (hunk.room - hunk.text.len().min(hunk.room)) / 2;
            let removed = if place.old.len() + place.new.len() > 2 * half { half } else { usize::MAX };
            self.add(&mut hunk, ' ', &sides.old[at..place.old.start], usize::MAX);
            self.add(&mut hunk, '-', &sides.old[place.old.clone()], removed);
            self.add(&mut hunk, '+', &sides.new[place.new.clone()], usize::MAX);
            at = place.old.end;
            if hunk.is_full {
                break;
            }
        }
        if !hunk.is_full {
            let end = lines_on(sides.old, last.place.old.end, self.unit, self.limit);
            self.add(&mut hunk, ' ', &sides.old[at..end], usize::MAX);
        }
        if !hunk.text.is_empty() {
            let size = self.text.len();
            // Writing to a `String` cannot fail.
            let _ = write!(self.text, "@@ -{} +{} @@\n{}", position(&hunk.old), position(&hunk.new), hunk.text);
            self.room = self.room.saturating_sub(self.text.len() - size);
        }
        !hunk.is_full
    }

    /// Adds lines to a hunk, at most so many bytes of them.
    fn add(&self, hunk: &mut Body, sign: char, lines: &[u8], most: usize) {
        let end = hunk.text.len().saturating_add(most);
        for line in self.unit.lines(lines) {
            let line = self.sides.format.decode(line).0;
            let size = hunk.text.len() + line.len() + 1;
            if size > hunk.room || size > end {
                hunk.is_full = true;
                return;
            }
            hunk.text.push(sign);
            hunk.text.push_str(&line);
            if !line.ends_with('\n') {
                hunk.text.push_str("\n\\ No newline at end of file\n");
            }
            hunk.old.end += usize::from(sign != '+');
            hunk.new.end += usize::from(sign != '-');
        }
    }
}

/// The lines of a hunk as far as there is room, and which ones they are on both sides.
struct Body {
    text: String,
    room: usize,
    is_full: bool,
    old: Range<usize>,
    new: Range<usize>,
}

impl Body {
    fn new(room: usize, old: usize, new: usize) -> Self {
        Self { text: String::new(), room, is_full: false, old: old..old, new: new..new }
    }
}

/// Where a hunk lies on one side: the number of its first line, and how many there are unless it is one.
fn position(lines: &Range<usize>) -> String {
    match lines.len() {
        // Nothing lies behind the line that it follows.
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        len => format!("{},{len}", lines.start + 1),
    }
}
