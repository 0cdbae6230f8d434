//! The lines of a page of matches, with their context.

use std::collections::VecDeque;
use std::fmt::Write;

use grep_matcher::Matcher;

use super::query::Query;
use crate::search::name;

/// How many characters of a line are shown.
const MAX_COLUMNS: usize = 500;
/// How many of them may stand before the match.
const LEAD: usize = 100;

/// The text of a page, to which files and lines are given in order. Lines of matches that are not on the page are shown
/// as context where they lie beside one that is.
pub(super) struct Content<'q> {
    query: &'q Query,
    /// How many bytes it may hold.
    limit: usize,
    pub(super) text: String,
    /// How many matches there were before and on the page.
    pub(super) seen: u64,
    /// How many of them are shown.
    pub(super) shown: u64,
    /// Whether more follow.
    pub(super) more: bool,
    /// Whether the page ends early because its text would be too long.
    pub(super) too_long: bool,
    path: Option<String>,
    /// The last lines before this one, in case that a match follows.
    recent: VecDeque<(u64, String)>,
    /// The last line of the last match of this file that is shown.
    last_match: Option<u64>,
    /// The last line of this file that is shown.
    last_line: Option<u64>,
    /// Whether there is a line, which may be empty.
    started: bool,
}

impl<'q> Content<'q> {
    /// An empty page, before which that many matches have been seen already.
    pub(super) fn new(query: &'q Query, limit: usize, seen: u64) -> Self {
        Self {
            query,
            limit,
            text: String::new(),
            seen,
            shown: 0,
            more: false,
            too_long: false,
            path: None,
            recent: VecDeque::new(),
            last_match: None,
            last_line: None,
            started: false,
        }
    }

    /// Begins a file; its path is left out where it is clear which file is meant.
    pub(super) fn file(&mut self, path: Option<&[u8]>) {
        self.path = path.map(|path| name::shown(path).into_owned());
        self.recent.clear();
        self.last_match = None;
        self.last_line = None;
    }

    /// Whether the page holds all that it can.
    pub(super) fn is_full(&self) -> bool {
        self.too_long || self.seen >= self.query.page.end()
    }

    /// Takes a match: the number of its first line, and its lines. False when no more is needed.
    pub(super) fn matched(&mut self, first: u64, block: &[u8]) -> bool {
        let index = self.seen;
        if index >= self.query.page.end() || self.too_long {
            self.more = true;
        } else {
            self.seen += 1;
        }
        // Whose lines come without their ends may give an empty one.
        let block = if block.is_empty() { b"\n" } else { block };
        let lines = (first..).zip(block.split_inclusive(|byte| *byte == b'\n'));
        if self.more || index < self.query.page.offset {
            return lines.fold(true, |_, (number, line)| self.context(number, line));
        }

        let start = (self.text.len(), self.last_line);
        let context = std::mem::take(&mut self.recent);
        context.iter().for_each(|(number, line)| self.put(*number, '-', line));
        for (number, line) in lines {
            let line = self.rendered(line, true);
            self.put(number, ':', &line);
            if self.text.len() > self.limit {
                self.too_long = true;
                if self.shown > 0 {
                    // It is the first of the next page.
                    self.text.truncate(start.0);
                    self.last_line = start.1;
                    self.seen -= 1;
                    self.more = true;
                    return false;
                }
                // A page without results would lead nowhere.
                break;
            }
            self.last_match = Some(number);
        }
        self.shown += 1;
        self.goes_on(first)
    }

    /// Takes a line beside a match. False when no more is needed.
    pub(super) fn context(&mut self, number: u64, line: &[u8]) -> bool {
        let end = self.last_match.map(|last| last.saturating_add(self.query.after as u64));
        if end.is_some_and(|end| number <= end) && self.text.len() <= self.limit {
            let line = self.rendered(line, false);
            self.put(number, '-', &line);
        } else if self.query.before > 0 && !self.is_full() {
            if self.recent.len() >= self.query.before {
                self.recent.pop_front();
            }
            let line = self.rendered(line, false);
            self.recent.push_back((number, line));
        }
        self.goes_on(number)
    }

    /// Whether anything behind that line is needed: the rest of the last match's context, and whether more follow.
    fn goes_on(&self, number: u64) -> bool {
        let end = self.last_match.map(|last| last.saturating_add(self.query.after as u64));
        !(self.is_full() && self.more) || end.is_some_and(|end| number < end) && self.text.len() <= self.limit
    }

    /// Says that a file is binary and matches, in place of lines.
    pub(super) fn binary(&mut self, offset: u64) {
        let index = self.seen;
        if index >= self.query.page.end() || self.too_long {
            self.more = true;
            return;
        }
        self.seen += 1;
        if index >= self.query.page.offset {
            self.break_line();
            let path = self.path.as_deref().unwrap_or_default();
            let colon = if path.is_empty() { "" } else { ": " };
            let _ = write!(self.text, "{path}{colon}binary file matches (a NUL byte is at offset {offset})");
            self.shown += 1;
        }
    }

    /// Says so in place of all lines, of the only file.
    pub(super) fn only_binary(&mut self, offset: u64) {
        if self.seen > 0 {
            let path = self.path.take();
            *self = Self::new(self.query, self.limit, 0);
            self.path = path;
            self.binary(offset);
        }
    }

    /// Whether lines have numbers.
    pub(super) fn has_numbers(&self) -> bool {
        self.query.numbers
    }

    fn break_line(&mut self) {
        if self.started {
            self.text.push('\n');
        }
        self.started = true;
    }

    fn put(&mut self, number: u64, sign: char, line: &str) {
        let follows = self.last_line.is_some_and(|last| last + 1 == number);
        let has_context = self.query.before > 0 || self.query.after > 0;
        if self.started && has_context && !follows {
            self.text.push_str("\n--");
        }
        self.last_line = Some(number);
        self.break_line();
        // Writing to a text cannot fail.
        let _ = match (&self.path, self.query.numbers) {
            (Some(path), true) => write!(self.text, "{path}{sign}{number}{sign}"),
            (Some(path), false) => write!(self.text, "{path}{sign}"),
            (None, true) => write!(self.text, "{number}{sign}"),
            (None, false) => Ok(()),
        };
        self.text.push_str(line);
    }

    /// A line as it is shown; of one that is too long, the part around its match.
    fn rendered(&self, line: &[u8], matches: bool) -> String {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let at = if matches && line.len() > MAX_COLUMNS { self.place_of_match(line) } else { 0 };
        shortened(line, at)
    }

    fn place_of_match(&self, line: &[u8]) -> usize {
        self.query.matcher.find(line).ok().flatten().map_or(0, |found| found.start())
    }
}

/// A line with at most 500 characters of it, around the match that begins at byte `at`.
fn shortened(line: &[u8], at: usize) -> String {
    let decoded = name::decoded(line);
    if line.len() <= MAX_COLUMNS || decoded.chars().nth(MAX_COLUMNS).is_none() {
        return decoded.into_owned();
    }
    let total = decoded.chars().count();
    let before = name::decoded(line.get(..at).unwrap_or_default()).chars().count();
    let start = before.saturating_sub(LEAD).min(total - MAX_COLUMNS);
    let shown = decoded.chars().skip(start).take(MAX_COLUMNS).collect::<String>();
    format!("{}{shown}{}", omitted(start), omitted(total - MAX_COLUMNS - start))
}

fn omitted(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "[… 1 character omitted …]".into(),
        count => format!("[… {count} characters omitted …]"),
    }
}
