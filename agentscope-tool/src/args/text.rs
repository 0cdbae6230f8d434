//! Strings as models write them, and where they end.
//!
//! A quote ends a string only if what follows it fits the grammar at that place; any other quote belongs to the text.

use super::error::ArgumentError;
use super::lenient::{Context, Parser, name_length};
use super::quotes::Quotes;
use super::repair::Repair;

/// What is noted about one string on the way through it.
#[derive(Default)]
struct Seen {
    /// Quotes that belong to the text, apostrophes aside.
    quotes: Quotes,
    has_apostrophe: bool,
    /// A backslash that escapes nothing, and the offset of the first one.
    needless_escape: Option<usize>,
    /// `\n`, `\t` or `\r`.
    has_blank_escape: bool,
    /// An escape that hardly anyone writes in text: `\b`, `\f`, `\u`, `\\`.
    has_other_escape: bool,
    /// `C:\`
    has_drive: bool,
}

impl Parser<'_, '_> {
    /// Reads the string that starts here with `quote`.
    pub(super) fn string(&mut self, quote: u8, context: Context) -> Result<String, ArgumentError> {
        let start = self.at;
        let mut seen = Seen::default();
        let mut value = String::new();
        self.at += 1;
        loop {
            // Up to the next character that means something.
            let rest = self.rest(self.at);
            let run = rest.bytes().position(|byte| byte == quote || byte == b'\\' || byte < 0x20).unwrap_or(rest.len());
            value.push_str(&rest[..run]);
            self.at += run;
            match self.byte(self.at) {
                None => {
                    return match (context, seen.quotes.possible_end()) {
                        (Context::Key, _) => Err(self.ended()),
                        // Not an object inside of a string, but something that begins with a string.
                        (Context::Root, _) if seen.quotes.count > 0 => Err(self.syntax("expected `{`", start)),
                        // The string had ended; what is wrong comes behind it, where it will be found.
                        (_, Some(end)) if self.is_finished() && !self.is_unsure => {
                            self.is_unsure = true;
                            self.at = end.offset + 1;
                            value.truncate(end.length);
                            Ok(value)
                        }
                        // Which of the quotes was meant to end it cannot be told.
                        _ if seen.quotes.count > 0 => Err(self.ended()),
                        _ => self.close().map(|()| value),
                    };
                }
                Some(b'\\') => self.escape(quote, &mut value, &mut seen)?,
                Some(byte) if byte == quote => {
                    if self.ends_string(self.at + 1, context) {
                        self.accept(start, context, quote, &seen, &value)?;
                        self.at += 1;
                        break;
                    }
                    if context == Context::Key {
                        return Err(self.syntax("expected `:` after the key", self.at + 1));
                    }
                    if is_apostrophe(quote, &value, self.rest(self.at + 1)) {
                        seen.has_apostrophe = true;
                    } else {
                        let noted = seen.quotes.note(self.at, &value, self.rest(self.at + 1));
                        if context != Context::Root {
                            if self.looks_ended(self.at + 1, quote) {
                                return Err(self.unsure_end(self.at, context));
                            }
                            noted.map_err(|end| self.unsure_end(end.offset, context))?;
                        }
                    }
                    value.push(char::from(quote));
                    self.at += 1;
                }
                Some(control) => {
                    self.note(Repair::RawControl);
                    value.push(char::from(control));
                    self.at += 1;
                }
            }
        }
        if quote == b'\'' {
            self.note(Repair::SingleQuotes);
        }
        Ok(value)
    }

    /// Whether the string may be taken as it was read; `self.at` is at its closing quote.
    fn accept(
        &mut self,
        start: usize,
        context: Context,
        quote: u8,
        seen: &Seen,
        value: &str,
    ) -> Result<(), ArgumentError> {
        if seen.quotes.count > 0 || seen.has_apostrophe {
            if context != Context::Root
                && let Some(end) = seen.quotes.likely_end()
            {
                // Of a text that was cut off the missing quotes may have been in the rest.
                return Err(if self.is_finished() { self.unsure_end(end.offset, context) } else { self.ended() });
            }
            // Quotes come in pairs. If one is alone, the string may as well go on to a later quote.
            let is_triple_quoted = value.bytes().take_while(|byte| *byte == quote).count() > 1;
            if is_triple_quoted || (seen.quotes.count % 2 == 1 && self.could_end_later(context, quote)) {
                return Err(self.syntax(
                    "it cannot be told where this string ends; put a backslash before each quote inside of it",
                    start,
                ));
            }
            self.note(Repair::InnerQuotes);
        }
        if let Some(at) = seen.needless_escape {
            // Whoever writes `C:\dir\new` or `^\w+\t` without doubling the backslashes does not mean a line end or a tab.
            let is_path_or_pattern = seen.has_drive || !value.contains(' ');
            if seen.has_other_escape || (seen.has_blank_escape && is_path_or_pattern) {
                return Err(
                    self.syntax("it cannot be told which backslashes are meant as such; write each of them twice", at)
                );
            }
            self.note(Repair::Escape);
        }
        Ok(())
    }

    /// The error for a quote that may or may not be the end of its string.
    fn unsure_end(&self, quote_at: usize, context: Context) -> ArgumentError {
        self.syntax(Self::untellable(context), self.after_short_blank(quote_at + 1).0)
    }

    fn could_end_later(&self, context: Context, quote: u8) -> bool {
        let bytes = self.text.as_bytes();
        (self.at + 1..bytes.len())
            .any(|at| bytes[at] == quote && bytes[at - 1] != b'\\' && self.ends_string(at + 1, context))
    }

    /// Reads the escape that starts here.
    fn escape(&mut self, quote: u8, value: &mut String, seen: &mut Seen) -> Result<(), ArgumentError> {
        let start = self.at;
        let Some(escaped) = self.rest(start + 1).chars().next() else {
            // The text ends in the middle of the escape, of which nothing can be kept.
            self.at += 1;
            return Ok(());
        };
        seen.has_drive |= ends_with_drive(value);
        self.at += 1 + escaped.len_utf8();
        match escaped {
            '"' | '/' => value.push(escaped),
            '\'' if quote == b'\'' => value.push(escaped),
            '\'' => {
                return Err(self
                    .syntax(r"`\'` is not JSON; write `'` for a quote, or `\\'` for a backslash and a quote", start));
            }
            '\\' => {
                seen.has_other_escape = true;
                value.push('\\');
            }
            'n' | 't' | 'r' => {
                seen.has_blank_escape = true;
                value.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    _ => '\r',
                });
            }
            'b' | 'f' => {
                seen.has_other_escape = true;
                value.push(if escaped == 'b' { '\u{8}' } else { '\u{c}' });
            }
            'u' if self.unit(start).is_some() => {
                seen.has_other_escape = true;
                let Some((character, length)) = self.character(start) else {
                    return Err(
                        self.syntax("half of a surrogate pair is no character; send the character itself", start)
                    );
                };
                value.push(character);
                self.at = start + length;
            }
            // The text ends in the middle of the escape.
            'u' if self.rest(self.at).len() < 4 && self.rest(self.at).bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                self.at = self.text.len()
            }
            _ => {
                seen.needless_escape.get_or_insert(start);
                value.push('\\');
                value.push(escaped);
            }
        }
        Ok(())
    }

    /// The four digits of the `\u` escape at `at`.
    fn unit(&self, at: usize) -> Option<u32> {
        let digits = self.rest(at).strip_prefix("\\u")?.get(..4)?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    }

    /// The character that the one or two `\u` escapes at `at` stand for, and their length.
    fn character(&self, at: usize) -> Option<(char, usize)> {
        let first = self.unit(at)?;
        if let Some(character) = char::from_u32(first) {
            return Some((character, 6));
        }
        let second = self.unit(at + 6)?;
        char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?])
            .next()?
            .ok()
            .map(|character| (character, 12))
    }

    /// Whether a string in this context can end before `at`.
    fn ends_string(&self, at: usize, context: Context) -> bool {
        let (next, _) = self.after_short_blank(at);
        let byte = self.byte(next);
        match context {
            Context::Key => byte == Some(b':'),
            Context::Root => byte.is_none() || (byte == self.fence && self.fence.is_some()),
            Context::Member | Context::Item => match byte {
                None => true,
                Some(b',') => self.goes_on(next + 1, context),
                // A missing comma.
                Some(b'"' | b'\'') if context == Context::Member => next > at && self.is_key(next),
                _ => self.closes(next, self.open.len()),
            },
        }
    }

    /// Whether the text from `at`, after a comma, goes on with a member or an item.
    fn goes_on(&self, at: usize, context: Context) -> bool {
        let (next, _) = self.after_short_blank(at);
        match (self.byte(next), context) {
            (None, _) => true,
            (Some(b'}' | b']'), _) => self.closes(next, self.open.len()),
            (Some(b'"' | b'\''), Context::Member) => self.is_key(next),
            (Some(_), Context::Member) => {
                let length = name_length(self.rest(next));
                let (after, _) = self.after_short_blank(next + length);
                length > 0 && self.byte(after).is_none_or(|next| next == b':')
            }
            (Some(b'"' | b'\'' | b'{' | b'[' | b'-' | b'0'..=b'9'), _) => true,
            (Some(_), _) => self.starts_word(next),
        }
    }

    /// Whether the text from `at` on closes brackets as they are open: all of them, or up to something that can follow
    /// the last. `level` of them are still open.
    fn closes(&self, mut at: usize, mut level: usize) -> bool {
        loop {
            match (level.checked_sub(1).and_then(|inner| self.open.get(inner)), self.byte(at)) {
                (_, None) => return true,
                // All is closed. What comes behind is refused as such; it is no text inside of a string.
                (None, Some(_)) => return true,
                (Some(end), Some(byte)) if *end == byte => level -= 1,
                // After the first bracket something may follow inside of the next outer one.
                (Some(end), Some(byte)) if level < self.open.len() => {
                    return byte == b',' || (*end == b'}' && matches!(byte, b'"' | b'\'') && self.is_key(at));
                }
                _ => return false,
            }
            at = self.after_short_blank(at + 1).0;
        }
    }

    /// Whether a quoted key with its colon is at `at`, or the start of one where the text ends.
    pub(super) fn is_key(&self, at: usize) -> bool {
        let Some(quote) = self.byte(at) else { return false };
        let bytes = self.text.as_bytes();
        let mut end = at + 1;
        while let Some(&byte) = bytes.get(end) {
            match byte {
                b'\\' => end += 2,
                _ if byte == quote => {
                    return self.byte(self.after_short_blank(end + 1).0).is_none_or(|next| next == b':');
                }
                _ => end += 1,
            }
        }
        true
    }

    /// Skips blanks and comments when looking ahead, which must not take long.
    pub(super) fn after_short_blank(&self, at: usize) -> (usize, bool) {
        self.after_blank(at, 160)
    }
}

/// Whether the quote between `before` and `after` is an apostrophe: a single quote between letters.
fn is_apostrophe(quote: u8, before: &str, after: &str) -> bool {
    quote == b'\'' && before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)
}

/// Whether the text ends with the letter of a drive and its colon.
fn ends_with_drive(text: &str) -> bool {
    let mut characters = text.chars().rev();
    characters.next() == Some(':')
        && characters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && !characters.next().is_some_and(char::is_alphanumeric)
}
