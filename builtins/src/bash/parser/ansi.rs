//! `$'…'`: text with the escapes of C.

use super::super::FaultKind;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Only what stays ASCII: other bytes mean different characters in different locales.
    pub(super) fn ansi_quoted(&mut self) -> Parsed<String> {
        let start = self.cursor.at();
        let open = self.cursor.after(start);
        self.cursor.stand(open + 1);
        let raw = self.cursor.raw();
        let mut text = String::new();
        let mut rest = raw;
        loop {
            let mut chars = rest.chars();
            match chars.next() {
                None => return Err(self.cursor.fault(start, FaultKind::UnclosedQuote)),
                Some('\'') => break,
                // Another shell would end the text here and run what stands behind it.
                Some('\\') if chars.as_str().starts_with('\'') => {
                    return Err(
                        self.unsupported(start, "a quote inside of `$'…'`, where shells do not agree on its end")
                    );
                }
                Some('\\') => {
                    let Some((value, length)) = escape(chars.as_str()) else {
                        return Err(self.unsupported(start, "such an escape in `$'…'`"));
                    };
                    text.push_str(&value);
                    rest = chars.as_str().get(length..).unwrap_or_default();
                    continue;
                }
                Some(c) => text.push(c),
            }
            rest = chars.as_str();
        }
        self.cursor.jump(open + 2 + (raw.len() - rest.len()));
        Ok(text)
    }
}

/// The value of the escape whose backslash was read, and how many bytes it takes.
fn escape(rest: &str) -> Option<(String, usize)> {
    let first = rest.chars().next()?;
    let simple = match first {
        'a' => '\x07',
        'b' => '\x08',
        'e' | 'E' => '\x1B',
        'f' => '\x0C',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0B',
        '\\' | '"' | '?' => first,
        'x' => return number(rest, 1, 2, 16),
        'u' => return number(rest, 1, 4, 16),
        'U' => return number(rest, 1, 8, 16),
        '0'..='7' => return number(rest, 0, 3, 8),
        'c' => return None,
        other => return Some((format!("\\{other}"), other.len_utf8())),
    };
    Some((simple.into(), 1))
}

fn number(rest: &str, skip: usize, most: usize, base: u32) -> Option<(String, usize)> {
    let digits = rest.get(skip..)?.bytes().take(most).take_while(|byte| char::from(*byte).is_digit(base)).count();
    let value = u8::try_from(u32::from_str_radix(rest.get(skip..skip + digits)?, base).ok()?).ok()?;
    // NUL ends the text, and two characters have a meaning inside bash itself.
    (value.is_ascii() && !matches!(value, 0 | 1 | 127)).then(|| (char::from(value).into(), skip + digits))
}
