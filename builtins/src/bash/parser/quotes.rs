//! Quotes and escapes.

use super::super::{FaultKind, Part, Unknown, Word};
use super::{END, Parsed, Parser};

impl<'s> Parser<'s> {
    /// `'…'`: nothing in it means anything.
    pub(super) fn single_quoted(&mut self) -> Parsed<&'s str> {
        let start = self.cursor.at();
        let raw = self.cursor.raw().get(1..).unwrap_or_default();
        let Some(length) = raw.find('\'') else { return Err(self.here(FaultKind::UnclosedQuote)) };
        self.cursor.jump(start + length + 2);
        Ok(raw.get(..length).unwrap_or_default())
    }

    /// A backslash and the character that it protects.
    pub(super) fn escaped(&mut self) -> Parsed<&'s str> {
        let at = self.cursor.at() + 1;
        let raw = self.cursor.raw().get(1..).unwrap_or_default();
        let Some(c) = raw.chars().next() else { return Err(self.here(FaultKind::Unexpected)) };
        self.cursor.jump(at + c.len_utf8());
        if c == '&' && self.substitutions > 0 {
            // bash writes a substitution anew before it reads it a second time, and leaves out the `;` behind this.
            return Err(self.unsupported(at - 1, "`\\&` inside a substitution"));
        }
        Ok(raw.get(..c.len_utf8()).unwrap_or_default())
    }

    /// What stands between double quotes, or the text of a here-document, up to `close` or the end of the text.
    pub(super) fn double_quoted(&mut self, word: &mut Word, close: Option<u8>) -> Parsed<()> {
        let start = self.cursor.at();
        loop {
            let text = self.cursor.run(|byte| !matches!(byte, b'"' | b'\\' | b'$' | b'`'));
            word.push_text(text);
            match self.cursor.peek() {
                END if close.is_none() => return Ok(()),
                END => return Err(self.cursor.fault(start, FaultKind::UnclosedQuote)),
                b'"' => {
                    self.cursor.bump();
                    if close.is_some() {
                        return Ok(());
                    }
                    word.push_text("\"");
                }
                b'\\' => self.quoted_backslash(word, close),
                b'$' => match self.dollar(true)? {
                    Some(what) => word.push(Part::Unknown { what, quoted: true }),
                    None => word.push_text("$"),
                },
                _ => {
                    let what = self.backquoted(true)?;
                    word.push(Part::Unknown { what, quoted: true });
                }
            }
        }
    }

    /// Between double quotes a backslash protects few characters, and stays before all others.
    fn quoted_backslash(&mut self, word: &mut Word, close: Option<u8>) {
        let next = self.cursor.byte(self.cursor.at() + 1);
        match next {
            b'$' | b'`' | b'\\' => word.push_text(char::from(next).encode_utf8(&mut [0; 4])),
            b'"' if close.is_some() => word.push_text("\""),
            _ => {
                word.push_text("\\");
                self.cursor.jump(self.cursor.at() + 1);
                return;
            }
        }
        self.cursor.jump(self.cursor.at() + 2);
    }

    /// A command in backquotes: its text is unescaped, then read on its own.
    pub(super) fn backquoted(&mut self, quoted: bool) -> Parsed<Unknown> {
        let start = self.cursor.at();
        let raw = self.cursor.raw().get(1..).unwrap_or_default();
        let mut text = String::new();
        let mut rest = raw.char_indices();
        let length = loop {
            match rest.next() {
                None => return Err(self.here(FaultKind::UnclosedQuote)),
                Some((at, '`')) => break at,
                Some((_, '\\')) => match rest.next() {
                    Some((_, c @ ('`' | '\\' | '$'))) => text.push(c),
                    // Shells do not agree on these.
                    Some((_, '\n')) => return Err(self.unsupported(start, "a line joined inside backquotes")),
                    Some((_, '"')) if quoted => {
                        return Err(self.unsupported(start, "a quote escaped inside backquotes"));
                    }
                    Some((_, c)) => text.extend(['\\', c]),
                    None => return Err(self.here(FaultKind::UnclosedQuote)),
                },
                Some((_, c)) => text.push(c),
            }
        };
        self.cursor.jump(start + length + 2);
        let list = self.apart(&text, start, |inner| {
            let mut list = inner.list(super::Until::End)?;
            inner.documents_closed()?;
            inner.fill(&mut list);
            Ok(list)
        })?;
        Ok(Unknown::Substitution(list))
    }

    /// Reads a text that is no part of the command as written, within the same limits. `start` is where it comes from.
    pub(super) fn apart<T>(
        &mut self,
        text: &str,
        start: usize,
        read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
    ) -> Parsed<T> {
        let place = self.cursor.span(start);
        let mut inner = Parser::new(text, self.shell, Some(place), self.budget);
        let value = read(&mut inner)?;
        self.budget = inner.budget;
        Ok(value)
    }
}
