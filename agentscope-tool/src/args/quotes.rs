//! Quotes inside of a string that were not escaped: which of them may be kept, and which make the string's end a guess.
//!
//! Such quotes are kept only if they come as they do in writing: an opening one, and later one that closes it. Where a
//! quote looks like the end of a value, keeping it could join two values, or two calls, into one, which then would be run.

use super::lenient::{Context, Parser, name_length};

/// The quotes of one string that were not escaped, apostrophes aside.
#[derive(Default)]
pub(super) struct Quotes {
    pub(super) count: usize,
    /// How many are open.
    depth: usize,
    /// How many are signs for inches: `5" pipe`.
    inches: usize,
    first: Option<End>,
    /// The first one that closes what no other one has opened, or that may do so.
    shut: Option<End>,
}

/// A quote that may have ended the string.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Where it is.
    pub(super) offset: usize,
    /// The length of the value before it.
    pub(super) length: usize,
}

/// What a quote looks like by the characters around it.
enum Look {
    Opening,
    Closing,
    /// A closing one, if one is open.
    After,
    Unclear,
}

impl Quotes {
    /// Notes the quote at `offset`, between `before` and `after`. If an earlier one has looked like the end of the string,
    /// these are two strings as likely as one, and the earlier one is the error.
    pub(super) fn note(&mut self, offset: usize, before: &str, after: &str) -> Result<(), End> {
        let last = before.chars().next_back();
        let look = look(last, after.chars().next());
        let this = End { offset, length: before.len() };
        self.count += 1;
        let first = *self.first.get_or_insert(this);
        if let Some(end) = self.shut {
            return Err(end);
        }
        match look {
            Look::Opening if self.inches > 0 => return Err(first),
            Look::Opening => self.depth += 1,
            Look::Closing | Look::After if self.depth > 0 => self.depth -= 1,
            Look::Closing if last.is_some_and(|c| c.is_ascii_digit()) => self.inches += 1,
            _ => self.shut = Some(this),
        }
        Ok(())
    }

    /// The quote that most likely was meant to end the string, if they do not come as they should.
    pub(super) fn likely_end(&self) -> Option<End> {
        self.shut.or(if self.depth > 0 { self.first } else { None })
    }

    /// The same, with signs for inches counted in, which are right only if nothing else is wrong.
    pub(super) fn possible_end(&self) -> Option<End> {
        self.likely_end().or(if self.inches > 0 { self.first } else { None })
    }
}

fn look(before: Option<char>, after: Option<char>) -> Look {
    let is_separator = |c: char| matches!(c, ',' | ';' | ':' | '，' | '；' | '：');
    let is_end = |c: char| is_separator(c) || matches!(c, '.' | '!' | '?' | ')' | ']' | '}' | '。');
    let is_start = |c: char| matches!(c, '(' | '[' | '{' | '<' | '=');
    let next = after.filter(|c| !c.is_whitespace());
    match (before, next) {
        // The first character of the string, unless the string is empty.
        (None, Some(next)) if next.is_alphanumeric() || "/\\<([$@#~_".contains(next) => Look::Opening,
        (None, _) => Look::Closing,
        (Some(last), None) if last.is_whitespace() || is_start(last) => Look::Unclear,
        (Some(last), Some(next)) if last.is_whitespace() => {
            if is_separator(next) || matches!(next, ')' | ']' | '}') {
                Look::Closing
            } else {
                Look::Opening
            }
        }
        // `he said "yes," and` or `1," a"`
        (Some(last), None) if is_separator(last) => Look::After,
        (Some(_), None) => Look::Closing,
        (Some(last), Some(_)) if is_start(last) => Look::Opening,
        (Some(_), Some(next)) if is_end(next) => Look::Closing,
        (Some(last), Some(next)) => match (last.is_alphanumeric(), next.is_alphanumeric()) {
            (true, false) => Look::Closing,
            (false, true) => Look::Opening,
            _ => Look::Unclear,
        },
    }
}

impl Parser<'_, '_> {
    /// Whether what follows a quote, from `at` on, looks like JSON, so that the quote may have been meant as an end
    /// although JSON does not go on like that: a separator of any kind and the start of a value or a key, another
    /// string, or the bracket that closes what is open.
    pub(super) fn looks_ended(&self, at: usize, quote: u8) -> bool {
        let next = self.after_short_blank(at).0;
        let Some(first) = self.rest(next).chars().next() else { return false };
        let is_separator = matches!(first, ',' | ';' | ':' | '，' | '；' | '：');
        let behind = if is_separator { self.after_short_blank(next + first.len_utf8()).0 } else { next };
        match first {
            ':' | '：' => self.starts_value(behind),
            _ if is_separator => self.starts_nested(behind) || self.is_named(behind),
            '}' | ']' => self.open.last().copied() == self.byte(next),
            _ if next == at => false,
            _ => self.byte(next) == Some(quote) || self.is_named(next),
        }
    }

    /// Whether the text ends as a whole call does, so that it was hardly cut off.
    pub(super) fn is_finished(&self) -> bool {
        let end = self.text.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '~' | ';'));
        end.ends_with(['}', ']'])
    }

    /// Whether a name without quotes, a colon and a value are here.
    fn is_named(&self, at: usize) -> bool {
        let length = name_length(self.rest(at));
        let colon = self.after_short_blank(at + length).0;
        length > 0 && self.byte(colon) == Some(b':') && self.starts_value(self.after_short_blank(colon + 1).0)
    }

    fn starts_nested(&self, at: usize) -> bool {
        matches!(self.byte(at), Some(b'"' | b'\'' | b'{' | b'['))
    }

    fn starts_value(&self, at: usize) -> bool {
        self.starts_nested(at) || matches!(self.byte(at), Some(b'-' | b'0'..=b'9')) || self.starts_word(at)
    }

    /// Whether a value that is one word begins here.
    pub(super) fn starts_word(&self, at: usize) -> bool {
        ["true", "false", "null", "True", "False", "None"].iter().any(|word| self.rest(at).starts_with(word))
    }

    /// How to go on after a string that is meant to end.
    pub(super) fn untellable(context: Context) -> &'static str {
        match context {
            Context::Item => {
                "it cannot be told where the string before this place ends; if it ends here, go on with `,` and the next item, or with `]`; else put a backslash before each quote inside of it"
            }
            _ => {
                "it cannot be told where the string before this place ends; if it ends here, go on with `,` and the next key in double quotes, or with `}`; else put a backslash before each quote inside of it"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Quotes;

    /// Whether the quotes of this text, which are all inside of a string, may be kept.
    fn are_kept(text: &str) -> bool {
        let mut quotes = Quotes::default();
        let all_fit = text.match_indices('"').all(|(at, _)| quotes.note(at, &text[..at], &text[at + 1..]).is_ok());
        all_fit && quotes.likely_end().is_none()
    }

    #[test]
    fn quotes_in_pairs_are_kept() {
        for text in [
            r#"say "hi" now"#,
            r#""a" and "b""#,
            r#"x["a"]["b"]"#,
            r#"f("a", "b")"#,
            r#"<a href="/x" class="y">"#,
            r#"5" by 6" pipe"#,
            r#"he said "yes," and left"#,
        ] {
            assert!(are_kept(text), "{text}");
        }
    }

    #[test]
    fn quotes_that_look_like_two_strings_are_not_kept() {
        for text in [
            r#"a" and "b"#,
            r#"a"} rm "b"#,
            r#"a" | "b"#,
            r#"a/" rm "b"#,
            r#"a", "b"#,
            r#"", "b"#,
            r#"" and "b"#,
            r#"a"；"b"#,
            r#"a"x"b"#,
            r#"a " and " b"#,
            r#"5" and "6"#,
            r#"a" and b"#,
            r#"say "hi"#,
        ] {
            assert!(!are_kept(text), "{text}");
        }
    }
}
