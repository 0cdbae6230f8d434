//! The lines of a file that are most like a text that is not in it.

use std::collections::HashMap;

/// What is nearest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Near<'o> {
    /// The first and the last line in the file, counted from 0.
    pub first: usize,
    pub last: usize,
    /// The first line that is not the same, and what it should be.
    pub differs: Option<(usize, &'o str)>,
}

/// How many pairs of lines are compared at most.
const MAX_PAIRS: usize = 2_000_000;

/// How much of a line is compared with another by its letters.
const MAX_CHARS: usize = 200;

/// Lines are alike from here on, with 1 for equal ones.
const ALIKE: f64 = 0.6;

/// The lines of the file where most of the old text's lines are, or that are like its first line.
pub(super) fn nearest<'o>(lines: &[&str], old: &'o str) -> Option<Near<'o>> {
    let wanted: Vec<&str> = old.trim_matches('\n').split('\n').collect();
    by_equal_lines(lines, &wanted).or_else(|| by_letters(lines, &wanted))
}

/// Where most lines agree but for the white space at their ends; of equally good places, the first.
fn by_equal_lines<'o>(lines: &[&str], wanted: &[&'o str]) -> Option<Near<'o>> {
    // Which of the wanted lines a line of the file is; short ones, like `}`, are everywhere and say nothing.
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, line) in wanted.iter().map(|line| line.trim()).enumerate().filter(|(_, line)| line.len() > 3) {
        places.entry(line).or_default().push(index);
    }
    let mut pairs = 0;
    let mut agreeing: HashMap<usize, usize> = HashMap::new();
    for (at, line) in lines.iter().enumerate() {
        for index in places.get(line.trim()).into_iter().flatten() {
            if let Some(start) = at.checked_sub(*index) {
                *agreeing.entry(start).or_default() += 1;
            }
            pairs += 1;
        }
        if pairs > MAX_PAIRS {
            break;
        }
    }
    let (first, _) = agreeing.into_iter().max_by_key(|(start, count)| (*count, std::cmp::Reverse(*start)))?;
    let last = (first + wanted.len() - 1).min(lines.len() - 1);
    let differs = wanted.iter().enumerate().find_map(|(index, line)| {
        let other = lines.get(first + index)?;
        (other.trim() != line.trim()).then_some((first + index, *line))
    });
    Some(Near { first, last, differs })
}

/// The line that is most like the first one that says something.
fn by_letters<'o>(lines: &[&str], wanted: &[&'o str]) -> Option<Near<'o>> {
    let (index, line) = wanted.iter().enumerate().find(|(_, line)| line.trim().len() > 3)?;
    let wanted_pairs = pairs(line);
    let mut best: Option<(f64, usize)> = None;
    for (at, other) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()).take(MAX_PAIRS / 10) {
        let likeness = likeness(&wanted_pairs, &pairs(other));
        if likeness >= ALIKE && best.is_none_or(|(most, _)| likeness > most) {
            best = Some((likeness, at));
        }
    }
    let (_, at) = best?;
    let first = at.saturating_sub(index);
    let last = (first + wanted.len() - 1).clamp(at, lines.len().saturating_sub(1).max(at));
    Some(Near { first, last, differs: Some((at, line)) })
}

/// The pairs of neighbouring letters, sorted.
fn pairs(line: &str) -> Vec<(char, char)> {
    let letters: Vec<char> = line.trim().chars().filter(|c| !c.is_whitespace()).take(MAX_CHARS).collect();
    let mut pairs: Vec<(char, char)> = letters.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.sort_unstable();
    pairs
}

/// Which part of the pairs the two have in common (the Sørensen-Dice coefficient).
fn likeness(one: &[(char, char)], other: &[(char, char)]) -> f64 {
    let (mut at, mut with, mut common) = (0, 0, 0_usize);
    while let (Some(left), Some(right)) = (one.get(at), other.get(with)) {
        match left.cmp(right) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => with += 1,
            std::cmp::Ordering::Equal => (at, with, common) = (at + 1, with + 1, common + 1),
        }
    }
    let all = one.len() + other.len();
    if all == 0 { 0.0 } else { 2.0 * common as f64 / all as f64 }
}
