//! Which lines of a changed place are other ones, without taking long for any text.

use std::collections::HashMap;
use std::ops::Range;

use imara_diff::{Algorithm, Diff, InternedInput};

use super::{Place, Sides};
use crate::unit::Unit;

/// How many bytes and lines of both sides together are compared. Larger places count as replaced.
const MAX_BYTES: usize = 8 * 1024 * 1024;
const MAX_LINES: usize = 200_000;

/// How many lines are compared where no line on both sides is the only one of its kind. What that takes grows with
/// their square.
const MAX_REPETITIVE: usize = 4_000;

/// Appends the parts of `place`, which are whole lines, that differ.
pub(super) fn pieces(unit: Unit, sides: &Sides<'_>, place: Place, out: &mut Vec<Place>) {
    if place.old.is_empty() || place.new.is_empty() || place.old.len() + place.new.len() > MAX_BYTES {
        return out.push(place);
    }
    let old = Lines::new(unit, sides.old, place.old.clone());
    let new = Lines::new(unit, sides.new, place.new.clone());
    if old.lines.len() + new.lines.len() > MAX_LINES {
        return out.push(place);
    }
    let (mut old_from, mut new_from) = (0, 0);
    let end = (old.lines.len(), new.lines.len());
    for (old_at, new_at) in anchors(&old.lines, &new.lines).into_iter().chain([end]) {
        between(&old, &new, old_from..old_at, new_from..new_at, out);
        // The anchor itself is the same on both sides.
        (old_from, new_from) = (old_at + 1, new_at + 1);
    }
}

/// The lines of one side.
struct Lines<'t> {
    lines: Vec<&'t [u8]>,
    /// Where each begins in the whole text, and where the last one ends.
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(unit: Unit, text: &'t [u8], place: Range<usize>) -> Self {
        let lines: Vec<&[u8]> = unit.lines(&text[place.clone()]).collect();
        let mut starts = Vec::with_capacity(lines.len() + 1);
        starts.push(place.start);
        for line in &lines {
            starts.push(starts.last().map_or(0, |start| start + line.len()));
        }
        Self { lines, starts }
    }

    fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        self.starts[lines.start]..self.starts[lines.end]
    }
}

/// Compares what lies between two anchors.
fn between(old: &Lines<'_>, new: &Lines<'_>, mut before: Range<usize>, mut after: Range<usize>, out: &mut Vec<Place>) {
    while !before.is_empty() && !after.is_empty() && old.lines[before.start] == new.lines[after.start] {
        (before.start, after.start) = (before.start + 1, after.start + 1);
    }
    while !before.is_empty() && !after.is_empty() && old.lines[before.end - 1] == new.lines[after.end - 1] {
        (before.end, after.end) = (before.end - 1, after.end - 1);
    }
    let mut push =
        |before: Range<usize>, after: Range<usize>| out.push(Place { old: old.bytes(before), new: new.bytes(after) });
    if before.is_empty() && after.is_empty() {
        return;
    }
    if before.is_empty() || after.is_empty() || before.len() + after.len() > MAX_REPETITIVE {
        return push(before, after);
    }
    let mut input = InternedInput::default();
    input.update_before(old.lines[before.clone()].iter().copied());
    input.update_after(new.lines[after.clone()].iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    for hunk in diff.hunks() {
        let from = |start: usize, range: &Range<u32>| start + range.start as usize..start + range.end as usize;
        push(from(before.start, &hunk.before), from(after.start, &hunk.after));
    }
}

/// Lines that there are once on either side, in the longest series in which both sides have them in the same order.
fn anchors(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    if old.len() + new.len() <= MAX_REPETITIVE {
        // Few enough to be compared in one go, which finds the better series.
        return Vec::new();
    }
    #[derive(Default)]
    struct Seen {
        old: usize,
        new: usize,
        at: usize,
    }
    let mut seen: HashMap<&[u8], Seen> = HashMap::new();
    for line in old {
        seen.entry(line).or_default().old += 1;
    }
    for (at, line) in new.iter().enumerate() {
        let seen = seen.entry(line).or_default();
        (seen.new, seen.at) = (seen.new + 1, at);
    }
    let unique = old.iter().enumerate().filter_map(|(at, line)| {
        let seen = seen.get(line)?;
        (seen.old == 1 && seen.new == 1).then_some((at, seen.at))
    });
    increasing(&unique.collect::<Vec<_>>())
}

/// The longest series of pairs in which the second parts grow; the first ones do already.
fn increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the least end that a series of this length has.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, new)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *new);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut series = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        series.push(pairs[index]);
        at = before[index];
    }
    series.reverse();
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_series_that_grows_is_found() {
        let pairs: Vec<(usize, usize)> = [3, 1, 4, 0, 5, 9, 2, 6].into_iter().enumerate().collect();
        let series: Vec<usize> = increasing(&pairs).into_iter().map(|(_, new)| new).collect();
        assert_eq!(series.len(), 4);
        assert!(series.is_sorted());
        assert!(increasing(&[]).is_empty());
    }
}
