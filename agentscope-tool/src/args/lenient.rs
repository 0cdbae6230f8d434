//! The long way: a parser for JSON as models write it.
//!
//! It repairs only what can be read in one way: code fences, single quotes, trailing commas, keys without quotes, Python's
//! literals, comments, a missing comma before a quoted key, control characters and needless backslashes in strings, quotes
//! inside of strings, an object inside of a string. All else is an error.

use super::CutOff;
use super::error::{ArgumentError, Excerpt, Position};
use super::literal;
use super::raw::Raw;
use super::repair::Repair;

/// How many arrays and objects may be inside each other: as many as `serde_json` reads.
const MAX_DEPTH: usize = 127;

/// Reads an object.
pub(super) fn parse(text: &str, cut_off: CutOff, repairs: &mut Vec<Repair>) -> Result<Raw, ArgumentError> {
    match root(text, cut_off, repairs)? {
        Raw::Text(inner) if inner.trim_start().starts_with('{') => {
            note(repairs, Repair::DoubleEncoded);
            match root(&inner, cut_off, repairs)? {
                object @ Raw::Object(_) => Ok(object),
                _ => Err(ArgumentError::NotAnObject { found: "a string" }),
            }
        }
        Raw::Null => Ok(Raw::Object(Vec::new())),
        object @ Raw::Object(_) => Ok(object),
        Raw::Bool(_) => Err(ArgumentError::NotAnObject { found: "a boolean" }),
        Raw::Number(_) => Err(ArgumentError::NotAnObject { found: "a number" }),
        Raw::Text(_) => Err(ArgumentError::NotAnObject { found: "a string" }),
        Raw::Array(_) => Err(ArgumentError::NotAnObject { found: "an array" }),
    }
}

/// Reads an array or an object that a string holds; `None` if it holds something else.
pub(super) fn unpack(text: &str) -> Option<Raw> {
    let starts_well = text.trim_start().starts_with(['[', '{']);
    starts_well.then(|| root(text, CutOff::Refuse, &mut Vec::new()).ok()).flatten()
}

/// Reads one value and what may stand around it. Empty text is `null`.
fn root(text: &str, cut_off: CutOff, repairs: &mut Vec<Repair>) -> Result<Raw, ArgumentError> {
    let mut parser = Parser { text, at: 0, cut_off, repairs, open: Vec::new(), fence: None, is_unsure: false };
    if text.starts_with('\u{feff}') {
        parser.at = '\u{feff}'.len_utf8();
        parser.note(Repair::ByteOrderMark);
    }
    parser.blank();
    parser.open_fence();
    parser.blank();
    if parser.is_at_end() || parser.close_fence() {
        // No arguments are no text at all. What stands in a comment, or was to follow the start of a code block, was
        // meant as something.
        return match (parser.has(Repair::Comment), parser.has(Repair::CodeFence)) {
            (true, _) => Err(parser.syntax("expected `{`", 0)),
            (false, true) if parser.fence.is_some() => Err(parser.ended()),
            _ => Ok(Raw::Null),
        };
    }
    let value = parser.value(Context::Root)?;
    // Behind the object, what looks like a comment may be the rest of the call.
    parser.white();
    parser.close_fence();
    parser.white();
    if parser.is_at_end() {
        return if parser.is_trustworthy() {
            Ok(value)
        } else {
            Err(parser.syntax(
                "it cannot be told where the strings end; put a backslash before each quote inside of a string",
                0,
            ))
        };
    }
    // A word or a number with something behind it was no JSON from the start.
    match value {
        Raw::Array(_) | Raw::Object(_) => {
            Err(ArgumentError::Trailing { position: parser.position(parser.at), excerpt: Excerpt::new(text) })
        }
        _ => Err(parser.syntax("expected `{`", 0)),
    }
}

fn note(repairs: &mut Vec<Repair>, repair: Repair) {
    if !repairs.contains(&repair) {
        repairs.push(repair);
    }
}

/// Where a value or a string stands, which decides what may follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Root,
    Key,
    Member,
    Item,
}

pub(super) struct Parser<'t, 'r> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    cut_off: CutOff,
    repairs: &'r mut Vec<Repair>,
    /// The brackets that are open, by the character that closes them.
    pub(super) open: Vec<u8>,
    /// The character of the fence that is open.
    pub(super) fence: Option<u8>,
    /// Whether a string was taken to end at a quote only to find out what is wrong behind it.
    pub(super) is_unsure: bool,
}

impl Parser<'_, '_> {
    pub(super) fn note(&mut self, repair: Repair) {
        note(self.repairs, repair);
    }

    /// Where a string ends can be told by what follows only if what follows is written as it should be.
    fn is_trustworthy(&self) -> bool {
        let is_loose = self.has(Repair::UnquotedKey) || self.has(Repair::MissingComma);
        !self.is_unsure && (!self.has(Repair::InnerQuotes) || !is_loose)
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    pub(super) fn rest(&self, at: usize) -> &str {
        self.text.get(at..).unwrap_or_default()
    }

    fn position(&self, at: usize) -> Position {
        Position::of(self.text, at)
    }

    pub(super) fn syntax(&self, problem: &str, at: usize) -> ArgumentError {
        ArgumentError::Syntax {
            problem: problem.to_owned(),
            position: self.position(at),
            excerpt: Excerpt::new(self.text),
        }
    }

    /// The text has ended where something had to follow that cannot be guessed.
    pub(super) fn ended(&self) -> ArgumentError {
        ArgumentError::CutOff { path: String::new(), excerpt: Excerpt::new(self.text) }
    }

    /// The text has ended inside of something that could be closed.
    pub(super) fn close(&mut self) -> Result<(), ArgumentError> {
        match self.cut_off {
            CutOff::Refuse => Err(self.ended()),
            CutOff::Complete => {
                self.note(Repair::Closed);
                Ok(())
            }
        }
    }

    fn has(&self, repair: Repair) -> bool {
        self.repairs.contains(&repair)
    }

    /// Skips blanks.
    fn white(&mut self) {
        let rest = self.rest(self.at);
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Skips blanks and comments.
    fn blank(&mut self) {
        let (end, has_comment) = self.after_blank(self.at, usize::MAX);
        self.at = end;
        if has_comment {
            self.note(Repair::Comment);
        }
    }

    /// Where the blanks and comments from `at` on end, and whether there were comments. What is longer than `limit`
    /// altogether is not looked at.
    pub(super) fn after_blank(&self, mut at: usize, mut limit: usize) -> (usize, bool) {
        let mut has_comment = false;
        loop {
            let rest = self.rest(at);
            let trimmed = rest.trim_start();
            at += rest.len() - trimmed.len();
            let (start_mark, end_mark) = match trimmed.as_bytes() {
                [b'/', b'/', ..] => ("//", "\n"),
                [b'#', ..] => ("#", "\n"),
                [b'/', b'*', ..] => ("/*", "*/"),
                _ => return (at, has_comment),
            };
            let within = start_of(trimmed, limit);
            let length = match within.get(start_mark.len()..).and_then(|inside| inside.find(end_mark)) {
                Some(end) => start_mark.len() + end + end_mark.len(),
                None if within.len() == trimmed.len() => trimmed.len(),
                None => return (at, has_comment),
            };
            has_comment = true;
            limit = limit.saturating_sub(length);
            at += length;
        }
    }

    /// Skips the first line of a code block: three or more marks and the name of a language.
    fn open_fence(&mut self) {
        let Some(mark @ (b'`' | b'~')) = self.byte(self.at) else { return };
        let marks = self.rest(self.at).bytes().take_while(|byte| *byte == mark).count();
        if marks < 3 {
            return;
        }
        self.fence = Some(mark);
        self.note(Repair::CodeFence);
        self.at += marks;
        self.at += self.rest(self.at).bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-_.".contains(byte);
        self.at += self.rest(self.at).bytes().take_while(is_name).count();
    }

    /// Skips the end of the code block, if it is here.
    fn close_fence(&mut self) -> bool {
        let Some(mark) = self.fence else { return false };
        let marks = self.rest(self.at).bytes().take_while(|byte| *byte == mark).count();
        if marks >= 3 {
            self.at += marks;
            self.fence = None;
        }
        marks >= 3
    }

    fn value(&mut self, context: Context) -> Result<Raw, ArgumentError> {
        match self.byte(self.at) {
            Some(b'{') => self.nested(b'}', Self::object),
            Some(b'[') => self.nested(b']', Self::array),
            Some(quote @ (b'"' | b'\'')) => self.string(quote, context).map(Raw::Text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(byte) if byte.is_ascii_alphabetic() => self.word(),
            Some(_) if context == Context::Root => Err(self.syntax("expected `{`", self.at)),
            Some(_) => Err(self.syntax("expected a value", self.at)),
            None => Err(self.ended()),
        }
    }

    fn nested(&mut self, end: u8, read: fn(&mut Self) -> Result<Raw, ArgumentError>) -> Result<Raw, ArgumentError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(ArgumentError::TooDeep);
        }
        self.open.push(end);
        self.at += 1;
        let value = read(self)?;
        self.open.pop();
        Ok(value)
    }

    fn object(&mut self) -> Result<Raw, ArgumentError> {
        let mut members: Vec<(String, Raw)> = Vec::new();
        loop {
            self.blank();
            match self.byte(self.at) {
                Some(b'}') => {
                    self.at += 1;
                    if !members.is_empty() {
                        self.note(Repair::TrailingComma);
                    }
                    break;
                }
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => {}
            }
            let key = self.key()?;
            self.blank();
            match self.byte(self.at) {
                Some(b':') => self.at += 1,
                None => return Err(self.ended().within(&key)),
                Some(_) => return Err(self.syntax(&format!("expected `:` after the key {key:?}"), self.at)),
            }
            self.blank();
            if let Some(b',' | b'}' | b']') = self.byte(self.at) {
                return Err(self.syntax(&format!("the key {key:?} has no value"), self.at));
            }
            let value = self.value(Context::Member).map_err(|error| error.within(&key))?;
            members.push((key, value));
            let end = self.at;
            self.blank();
            match self.byte(self.at) {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                None => {
                    self.close().map_err(|error| error.within(members.last().map_or("", |(key, _)| key)))?;
                    break;
                }
                Some(b'"' | b'\'') if self.at > end && self.is_key(self.at) => self.note(Repair::MissingComma),
                Some(_) => return Err(self.syntax("expected `,` or `}`", self.at)),
            }
        }
        match repeated(&members) {
            Some(key) => Err(ArgumentError::DuplicateKey { key: key.to_owned() }),
            None => Ok(Raw::Object(members)),
        }
    }

    fn array(&mut self) -> Result<Raw, ArgumentError> {
        let mut items = Vec::new();
        loop {
            self.blank();
            match self.byte(self.at) {
                Some(b']') => {
                    self.at += 1;
                    if !items.is_empty() {
                        self.note(Repair::TrailingComma);
                    }
                    break;
                }
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => {}
            }
            let index = items.len();
            items.push(self.value(Context::Item).map_err(|error| error.within_item(index))?);
            self.blank();
            match self.byte(self.at) {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                None => {
                    self.close()?;
                    break;
                }
                Some(_) => return Err(self.syntax("expected `,` or `]`", self.at)),
            }
        }
        Ok(Raw::Array(items))
    }

    fn key(&mut self) -> Result<String, ArgumentError> {
        if let Some(quote @ (b'"' | b'\'')) = self.byte(self.at) {
            return self.string(quote, Context::Key);
        }
        let length = name_length(self.rest(self.at));
        if length == 0 {
            return Err(self.syntax("expected a key in double quotes", self.at));
        }
        let key = self.rest(self.at)[..length].to_owned();
        self.at += length;
        if self.is_at_end() {
            return Err(self.ended());
        }
        self.note(Repair::UnquotedKey);
        Ok(key)
    }

    fn number(&mut self) -> Result<Raw, ArgumentError> {
        let start = self.at;
        let rest = self.rest(start);
        if rest.len() > 1 && rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            self.at += 1;
            return self.word();
        }
        let run = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-._".contains(byte)).count();
        let literal = &rest[..run];
        if literal::is_number(literal) {
            let value = Raw::Number(literal.to_owned());
            self.at += run;
            return Ok(value);
        }
        let may_go_on = run == rest.len() && literal::is_number(&format!("{literal}0"));
        if may_go_on {
            return Err(self.ended());
        }
        let shown: String = literal.chars().take(40).collect();
        Err(self.syntax(&format!("`{shown}` is not a JSON number"), start))
    }

    /// A value that is one word.
    fn word(&mut self) -> Result<Raw, ArgumentError> {
        const WORDS: [(&str, Raw); 6] = [
            ("true", Raw::Bool(true)),
            ("false", Raw::Bool(false)),
            ("null", Raw::Null),
            ("True", Raw::Bool(true)),
            ("False", Raw::Bool(false)),
            ("None", Raw::Null),
        ];
        let start = self.at;
        let rest = self.rest(start);
        let run = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.')).unwrap_or(rest.len());
        let word = &rest[..run];
        let is_negative = start > 0 && self.byte(start - 1) == Some(b'-');
        if let (Some((name, value)), false) = (WORDS.iter().find(|(name, _)| *name == word), is_negative) {
            let is_python = name.starts_with(|c: char| c.is_ascii_uppercase());
            let value = value.clone();
            self.at += run;
            if is_python {
                self.note(Repair::PythonLiteral);
            }
            return Ok(value);
        }
        if ["nan", "inf", "infinity"].contains(&word.to_ascii_lowercase().as_str()) {
            let literal = format!("{}{word}", if is_negative { "-" } else { "" });
            return Err(ArgumentError::NotFinite {
                literal,
                position: self.position(start - usize::from(is_negative)),
            });
        }
        if run == rest.len() && !self.open.is_empty() && WORDS.iter().any(|(name, _)| name.starts_with(word)) {
            return Err(self.ended());
        }
        let shown: String = word.chars().take(40).collect();
        if self.open.is_empty() {
            return Err(self.syntax("expected `{`", start));
        }
        Err(self.syntax(&format!("`{shown}` is no JSON value; a string needs double quotes"), start))
    }
}

/// About the first `limit` bytes of a text.
fn start_of(text: &str, limit: usize) -> &str {
    (0..=limit.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// The length of a name that may stand for a key without quotes.
pub(super) fn name_length(text: &str) -> usize {
    let starts = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$';
    match text.bytes().next() {
        Some(first) if starts(first) => {
            text.bytes().take_while(|byte| starts(*byte) || byte.is_ascii_digit() || *byte == b'-').count()
        }
        _ => 0,
    }
}

/// A key that comes twice.
fn repeated(members: &[(String, Raw)]) -> Option<&str> {
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.windows(2).find_map(|pair| match pair {
        [a, b] if a == b => Some(*a),
        _ => None,
    })
}
