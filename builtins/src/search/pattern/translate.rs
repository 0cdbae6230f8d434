//! The way from a pattern to a regular expression.

use std::fmt;
use std::iter::Peekable;
use std::str::CharIndices;

use regex::{Regex, RegexBuilder};

/// How deep braces may be nested.
const MAX_NESTING: usize = 16;
/// How much memory a compiled pattern may take, in bytes.
const MAX_SIZE: usize = 4 * 1024 * 1024;
/// The classes that have names, as in `[[:digit:]]`.
const NAMED: [&str; 12] =
    ["alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"];

/// What is wrong with a pattern. Places count characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// It names nothing.
    Empty,
    /// It holds a NUL.
    Nul,
    /// It leaves the directory in which the search begins.
    Parent,
    /// A bracket or brace is never closed.
    Unclosed(char, usize),
    /// A range of characters that ends before it starts.
    Range(char, char),
    /// A backslash that nothing follows.
    Escape,
    /// Braces in braces in braces.
    Nesting,
    /// It needs too much memory.
    Size,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it names no file; write `**` for all files"),
            Self::Nul => f.write_str("no path holds a NUL character"),
            Self::Parent => f.write_str("`..` leaves the directory that is searched; name another directory in `path`"),
            Self::Unclosed(open, at) => {
                write!(f, "the `{open}` at character {at} is never closed; write `\\{open}` for the character itself")
            }
            Self::Range(from, to) => {
                write!(f, "the range `{}-{}` ends before it starts", from.escape_debug(), to.escape_debug())
            }
            Self::Escape => f.write_str("nothing follows the last `\\`; write `\\\\` for the character itself"),
            Self::Nesting => write!(f, "braces are nested more than {MAX_NESTING} deep"),
            Self::Size => f.write_str("it is too large; search for less at once"),
        }
    }
}

/// The parts of a pattern between separators that stand in no class and no braces.
pub(crate) fn split(pattern: &str, separator: char) -> Result<Vec<&str>, Problem> {
    let mut parts = Vec::new();
    let (mut start, mut braces) = (0, Vec::new());
    let mut chars = pattern.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '\0' => return Err(Problem::Nul),
            '\\' => drop(chars.next().ok_or(Problem::Escape)?),
            '[' => drop(class(pattern, at, &mut chars)?),
            '{' => braces.push(at),
            '}' => drop(braces.pop()),
            _ if c == separator && braces.is_empty() => {
                parts.push(&pattern[start..at]);
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    if let Some(open) = braces.first() {
        return Err(Problem::Unclosed('{', place(pattern, *open)));
    }
    parts.push(&pattern[start..]);
    Ok(parts)
}

fn place(pattern: &str, at: usize) -> usize {
    pattern[..at].chars().count() + 1
}

/// The regular expression for a path that matches wholly.
pub(super) fn regex(pattern: &str) -> Result<Regex, Problem> {
    let mut translation = Translation { pattern, chars: pattern.char_indices().peekable(), regex: "^".into() };
    translation.alternative(true, 0)?;
    translation.regex.push('$');
    let built = RegexBuilder::new(&translation.regex).dot_matches_new_line(true).size_limit(MAX_SIZE).build();
    built.map_err(|_| Problem::Size)
}

struct Translation<'p> {
    pattern: &'p str,
    chars: Peekable<CharIndices<'p>>,
    regex: String,
}

impl Translation<'_> {
    /// Translates up to the end, or to what ends an alternative in braces; `starts` says whether a name starts here.
    fn alternative(&mut self, mut starts: bool, nesting: usize) -> Result<(), Problem> {
        while let Some(&(at, c)) = self.chars.peek() {
            if nesting > 0 && matches!(c, ',' | '}') {
                break;
            }
            self.chars.next();
            match c {
                '*' => self.star(starts, nesting),
                '?' => self.regex.push_str("[^/]"),
                '[' => {
                    let class = class(self.pattern, at, &mut self.chars)?;
                    self.regex.push_str(&class);
                }
                '{' => self.braces(at, starts, nesting + 1)?,
                '\\' => {
                    let (_, c) = self.chars.next().ok_or(Problem::Escape)?;
                    self.literal(c);
                }
                _ => self.literal(c),
            }
            // Behind `**/` a name starts, too: its slash is part of what was written.
            starts = c == '/' || c == '*' && self.pattern[..self.position()].ends_with('/');
        }
        Ok(())
    }

    fn position(&mut self) -> usize {
        self.chars.peek().map_or(self.pattern.len(), |(at, _)| *at)
    }

    /// One star was taken; a whole name `**` stands for directories, or for anything at the end.
    fn star(&mut self, starts: bool, nesting: usize) {
        let mut stars = 1;
        while self.chars.next_if(|(_, c)| *c == '*').is_some() {
            stars += 1;
        }
        let next = self.chars.peek().map(|(_, c)| *c);
        let ends = next.is_none() || nesting > 0 && matches!(next, Some(',' | '}'));
        match next {
            Some('/') if starts && stars == 2 => {
                self.chars.next();
                self.regex.push_str("(?:[^/]+/)*");
            }
            _ if ends && starts && stars == 2 => self.regex.push_str(".+"),
            _ => self.regex.push_str("[^/]*"),
        }
    }

    fn braces(&mut self, open: usize, starts: bool, nesting: usize) -> Result<(), Problem> {
        if nesting > MAX_NESTING {
            return Err(Problem::Nesting);
        }
        self.regex.push_str("(?:");
        loop {
            self.alternative(starts, nesting)?;
            match self.chars.next() {
                Some((_, ',')) => self.regex.push('|'),
                Some(_) => break,
                None => return Err(Problem::Unclosed('{', place(self.pattern, open))),
            }
        }
        self.regex.push(')');
        Ok(())
    }

    fn literal(&mut self, c: char) {
        self.regex.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }
}

/// Translates a class, of which the `[` at `open` was taken, up to its `]`.
fn class(pattern: &str, open: usize, chars: &mut Peekable<CharIndices<'_>>) -> Result<String, Problem> {
    let unclosed = || Problem::Unclosed('[', place(pattern, open));
    let negated = chars.next_if(|(_, c)| matches!(c, '!' | '^')).is_some();
    let mut items = String::new();
    let mut first = true;
    loop {
        let (at, mut from) = chars.next().ok_or_else(unclosed)?;
        match from {
            ']' if !first => break,
            '\0' => return Err(Problem::Nul),
            '[' => {
                let named = NAMED.iter().find(|name| {
                    pattern[at..]
                        .strip_prefix("[:")
                        .and_then(|rest| rest.strip_prefix(**name))
                        .is_some_and(|rest| rest.starts_with(":]"))
                });
                if let Some(name) = named {
                    items.push_str(&format!("[:{name}:]"));
                    (0..name.len() + 3).for_each(|_| _ = chars.next());
                    first = false;
                    continue;
                }
            }
            '\\' => from = chars.next().ok_or(Problem::Escape)?.1,
            _ => {}
        }
        first = false;
        let mut to = from;
        // A `-` before the closing bracket stands for itself.
        let is_range = chars.peek().is_some_and(|(at, c)| *c == '-' && !pattern[at + 1..].starts_with(']'));
        if is_range {
            chars.next();
            to = chars.next().ok_or_else(unclosed)?.1;
            if to == '\\' {
                to = chars.next().ok_or(Problem::Escape)?.1;
            }
        }
        if from > to {
            return Err(Problem::Range(from, to));
        }
        items.push_str(&format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(from), u32::from(to)));
    }
    Ok(if negated { format!("[^/{items}]") } else { format!("[[{items}]&&[^/]]") })
}
