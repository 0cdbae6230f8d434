//! Comparing texts with some of their differences overlooked.

use std::borrow::Cow;

/// Which differences are overlooked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fold {
    /// White space of any kind and length is one blank, and none at the start and the end of a line.
    space: bool,
    /// Typographic quotes, dashes and blanks are those of ASCII.
    marks: bool,
    case: bool,
    /// What is taken off the old text beforehand.
    prepare: Prepare,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prepare {
    Nothing,
    LineNumbers,
    Escapes,
}

const EXACT: Fold = Fold { space: false, marks: false, case: false, prepare: Prepare::Nothing };

/// How many places are counted.
const MAX_PLACES: usize = 100;

impl Fold {
    pub(super) const LINE_NUMBERS: Self = Self { prepare: Prepare::LineNumbers, ..EXACT };
    pub(super) const ESCAPES: Self = Self { prepare: Prepare::Escapes, ..EXACT };
    pub(super) const SPACE: Self = Self { space: true, ..EXACT };
    pub(super) const MARKS: Self = Self { marks: true, ..EXACT };
    pub(super) const CASE: Self = Self { case: true, ..EXACT };
    pub(super) const ALL: Self = Self { space: true, marks: true, case: true, ..EXACT };

    /// The first and the last line, counted from 0, of the places where `old` would be found.
    pub(super) fn find(self, text: &str, old: &str) -> Vec<(usize, usize)> {
        let old = match self.prepare {
            Prepare::Nothing => Cow::Borrowed(old),
            Prepare::LineNumbers => match without_line_numbers(old) {
                Some(old) => old.into(),
                None => return Vec::new(),
            },
            Prepare::Escapes => match unescaped(old) {
                Some(old) => old.into(),
                None => return Vec::new(),
            },
        };
        let needle = self.apply(&old).text;
        // What is nothing but white space would be found everywhere.
        let needle = if self.space { needle.trim() } else { &needle };
        if needle.is_empty() {
            return Vec::new();
        }
        let folded = self.apply(text);
        let places = folded.text.match_indices(needle).take(MAX_PLACES);
        places.map(|(at, found)| (folded.line(at), folded.line(at + found.len() - 1))).collect()
    }

    fn apply(self, text: &str) -> Folded {
        let mut folded = Folded { text: String::with_capacity(text.len()), lines: Vec::new() };
        for line in text.split('\n') {
            if self.space && line.trim().is_empty() {
                // A line that is not there for the comparison has the offset of the next one.
                folded.lines.push(folded.text.len());
                continue;
            }
            folded.lines.push(folded.text.len());
            let mut blank = false;
            for c in if self.space { line.trim() } else { line }.chars() {
                let c = if self.marks { plain(c) } else { c };
                if self.space && c.is_whitespace() {
                    blank = true;
                    continue;
                }
                if std::mem::take(&mut blank) {
                    folded.text.push(' ');
                }
                if self.case {
                    folded.text.extend(c.to_lowercase());
                } else {
                    folded.text.push(c);
                }
            }
            folded.text.push(if self.space { ' ' } else { '\n' });
        }
        // The last line has no line end.
        if !self.space {
            folded.text.pop();
        }
        folded
    }
}

struct Folded {
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Folded {
    /// The line that holds the offset.
    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at).saturating_sub(1)
    }
}

fn plain(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201b}' | '\u{2032}' | '`' | '´' => '\'',
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '«' | '»' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => ' ',
        other => other,
    }
}

/// The text without a number and a tab before each of its lines, if all of them have these.
fn without_line_numbers(text: &str) -> Option<String> {
    let stripped: Option<Vec<&str>> = text
        .split('\n')
        .map(|line| {
            let (number, rest) = line.split_once('\t').or_else(|| line.split_once('→')).unwrap_or((line, ""));
            let number = number.trim_start();
            // A quote may end in the middle of a line, or with a line end.
            (line.is_empty() || !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
        })
        .collect();
    let stripped = stripped?.join("\n");
    (stripped != text).then_some(stripped)
}

/// The text with characters in place of escapes, if there are any.
fn unescaped(text: &str) -> Option<String> {
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        let meant = match (c, chars.peek()) {
            ('\\', Some('n')) => '\n',
            ('\\', Some('t')) => '\t',
            ('\\', Some(quoted @ ('"' | '\'' | '\\'))) => *quoted,
            _ => {
                out.push(c);
                continue;
            }
        };
        chars.next();
        out.push(meant);
    }
    (out != text).then_some(out)
}
