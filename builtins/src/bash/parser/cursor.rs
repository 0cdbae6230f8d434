//! A place in a text, read as the shell reads it: a backslash before a line's end joins two lines.

use super::super::{Fault, FaultKind, Span};

/// Stands for the end of the text; a text with a NUL in it never gets here.
pub(super) const END: u8 = 0;

#[derive(Debug, Clone)]
pub(super) struct Cursor<'s> {
    text: &'s str,
    /// Never stands before a backslash that joins two lines, except after [`Cursor::stand`].
    at: usize,
    end: usize,
    /// The place of the whole text, when it is no part of the command as written.
    place: Option<Span>,
}

impl<'s> Cursor<'s> {
    pub(super) fn new(text: &'s str, place: Option<Span>) -> Self {
        let mut cursor = Self { text, at: 0, end: text.len(), place };
        cursor.join();
        cursor
    }

    /// The same text, read from `start` to `end` only.
    pub(super) fn within(&self, start: usize, end: usize) -> Self {
        let mut cursor = Self { text: self.text, at: start, end, place: self.place };
        cursor.join();
        cursor
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn byte(&self, at: usize) -> u8 {
        if at < self.end { self.text.as_bytes().get(at).copied().unwrap_or(END) } else { END }
    }

    pub(super) fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    /// The byte behind the next.
    pub(super) fn second(&self) -> u8 {
        self.byte(self.after(self.at))
    }

    /// The place behind the byte at `at`, lines joined.
    pub(super) fn after(&self, at: usize) -> usize {
        let mut next = at + 1;
        while self.byte(next) == b'\\' && self.byte(next + 1) == b'\n' {
            next += 2;
        }
        next
    }

    pub(super) fn bump(&mut self) {
        if self.at < self.end {
            self.at = self.after(self.at);
        }
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == byte && self.at < self.end;
        if found {
            self.bump();
        }
        found
    }

    /// Goes to `at` as it is, even if lines are joined there.
    pub(super) fn stand(&mut self, at: usize) {
        self.at = at.min(self.end);
    }

    /// Goes on at `at`.
    pub(super) fn jump(&mut self, at: usize) {
        self.at = at.min(self.end);
        self.join();
    }

    fn join(&mut self) {
        while self.peek() == b'\\' && self.byte(self.at + 1) == b'\n' {
            self.at += 2;
        }
        self.at = self.at.min(self.end);
    }

    /// The text from here to the end, as written.
    pub(super) fn raw(&self) -> &'s str {
        self.slice(self.at, self.end)
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'s str {
        self.text.get(start..end.min(self.end)).unwrap_or_default()
    }

    /// The longest run of bytes from here that are all `plain`, which must not count the backslash; goes behind it.
    pub(super) fn run(&mut self, plain: impl Fn(u8) -> bool) -> &'s str {
        let start = self.at;
        let length = self.raw().bytes().position(|byte| !plain(byte)).unwrap_or(self.end - start);
        self.jump(start + length);
        self.slice(start, start + length)
    }

    /// Like [`Cursor::run`], across joined lines.
    pub(super) fn take(&mut self, plain: impl Fn(u8) -> bool) -> String {
        let mut taken = self.run(&plain).to_owned();
        while self.peek() != END && plain(self.peek()) {
            taken.push_str(self.run(&plain));
        }
        taken
    }

    pub(super) fn span(&self, start: usize) -> Span {
        self.place.unwrap_or(Span { start, end: self.at.max(start) })
    }

    /// A fault from `start` to here, or of the next characters up to a blank.
    pub(super) fn fault(&self, start: usize, kind: FaultKind) -> Fault {
        let word = || self.raw().split([' ', '\t', '\n']).next().filter(|word| !word.is_empty()).map_or(0, str::len);
        let end = if self.at > start { self.at } else { self.at + word() };
        Fault { kind, span: self.place.unwrap_or(Span { start, end }) }
    }
}
