//! Lines that were compared, as hunks.

use std::fmt::Write as _;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

use super::{CONTEXT, MAX_BYTES, Sides};
use crate::unit::Unit;

/// How many bytes of both sides together are compared line by line. Larger ones count as replaced.
const MAX_COMPARED: usize = 8 * 1024 * 1024;

/// Writes hunks until there are enough.
pub(super) struct Renderer {
    pub(super) text: String,
    room: usize,
}

impl Renderer {
    pub(super) fn new(headers: String) -> Self {
        Self { text: headers, room: MAX_BYTES }
    }

    /// Compares whole lines and writes the hunks; the lines before them are counted in `old_line` and `new_line`.
    /// Whether all of it could be written.
    pub(super) fn compare(
        &mut self,
        old: &[u8],
        new: &[u8],
        sides: &Sides<'_>,
        old_line: usize,
        new_line: usize,
    ) -> bool {
        let fits = old.len() + new.len() <= MAX_COMPARED;
        // Of texts that are too large, the first lines of each side.
        let (old, new) = if fits { (old, new) } else { (first_lines(old, sides), first_lines(new, sides)) };
        let (old, new) = (sides.format.decode(old).0, sides.format.decode(new).0);
        let input = InternedInput::new(&*old, &*new);
        let hunks: Vec<Hunk> = if fits {
            let mut diff = Diff::compute(Algorithm::Histogram, &input);
            diff.postprocess_lines(&input);
            diff.hunks().collect()
        } else {
            let whole = |lines: &[_]| 0..u32::try_from(lines.len()).unwrap_or(u32::MAX);
            vec![Hunk { before: whole(&input.before), after: whole(&input.after) }]
        };
        let line = |token: &imara_diff::Token| input.interner[*token];
        let lines = Lines {
            old: input.before.iter().map(line).collect(),
            new: input.after.iter().map(line).collect(),
            old_line,
            new_line,
        };
        let all = groups(&hunks).into_iter().all(|group| self.write(&lines, group));
        all && fits
    }

    /// Writes one hunk; when there is no room for all of it, its first lines. Whether all of it is there.
    fn write(&mut self, lines: &Lines<'_>, changes: &[Hunk]) -> bool {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return true };
        let before = (first.before.start as usize).min(CONTEXT);
        let mut hunk = Body::new(self.room, first.before.start as usize - before, first.after.start as usize - before);
        let mut at = hunk.old.start;
        for change in changes {
            let unchanged = &lines.old[at..change.before.start as usize];
            let removed = &lines.old[range(&change.before)];
            let added = &lines.new[range(&change.after)];
            if !(hunk.add(' ', unchanged) && hunk.add('-', removed) && hunk.add('+', added)) {
                break;
            }
            at = change.before.end as usize;
        }
        if !hunk.is_full {
            let end = (last.before.end as usize + CONTEXT).min(lines.old.len());
            hunk.add(' ', &lines.old[at..end]);
        }
        if hunk.text.is_empty() {
            return !hunk.is_full;
        }
        let (old, new) = (position(&hunk.old, lines.old_line), position(&hunk.new, lines.new_line));
        let size = self.text.len();
        // Writing to a `String` cannot fail.
        let _ = write!(self.text, "@@ -{old} +{new} @@\n{}", hunk.text);
        self.room = self.room.saturating_sub(self.text.len() - size);
        !hunk.is_full
    }
}

/// The lines of both sides, and how many are before them in the files.
struct Lines<'t> {
    old: Vec<&'t str>,
    new: Vec<&'t str>,
    old_line: usize,
    new_line: usize,
}

/// The lines of a hunk as far as there is room.
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

    /// Whether there was room for all of them.
    fn add(&mut self, sign: char, lines: &[&str]) -> bool {
        for line in lines {
            if self.text.len() + line.len() + 1 > self.room {
                self.is_full = true;
                return false;
            }
            self.text.push(sign);
            self.text.push_str(line);
            if !line.ends_with('\n') {
                self.text.push_str("\n\\ No newline at end of file\n");
            }
            self.old.end += usize::from(sign != '+');
            self.new.end += usize::from(sign != '-');
        }
        true
    }
}

/// Changes that are shown in one hunk, since their contexts touch.
fn groups(changes: &[Hunk]) -> Vec<&[Hunk]> {
    let far = |one: &Hunk, next: &Hunk| (next.before.start - one.before.end) as usize > 2 * CONTEXT;
    changes.chunk_by(|one, next| !far(one, next)).collect()
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Where a hunk lies on one side: the number of its first line, and how many there are unless it is one.
fn position(range: &Range<usize>, lines_before: usize) -> String {
    match range.len() {
        // Nothing lies behind the line that it follows.
        0 => format!("{},0", lines_before + range.start),
        1 => format!("{}", lines_before + range.start + 1),
        len => format!("{},{len}", lines_before + range.start + 1),
    }
}

fn first_lines<'t>(text: &'t [u8], sides: &Sides<'_>) -> &'t [u8] {
    let most = MAX_BYTES / 2;
    if text.len() <= most { text } else { &text[..Unit::of(sides.format).line_start(text, most)] }
}
