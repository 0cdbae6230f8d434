//! Line ends in the bytes of a text, for encodings of one and of two bytes a character.

use std::borrow::Cow;

use memchr::memmem::Finder;

use crate::text::TextFormat;

/// How the characters of a text lie in its bytes, as far as finding line ends and whole characters needs it.
///
/// Offsets count from where the text begins, behind a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// UTF-8 and encodings that agree with ASCII.
    Byte,
    /// UTF-16, low byte first.
    Le16,
    /// UTF-16, high byte first.
    Be16,
}

/// What ends the lines of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnds {
    /// There is no line end at all.
    None,
    /// LF alone.
    Lf,
    /// CRLF alone.
    CrLf,
    /// Both.
    Mixed,
}

impl LineEnds {
    /// What joins two texts whose line ends are these.
    pub(crate) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::None, any) | (any, Self::None) => any,
            (one, other) if one == other => one,
            _ => Self::Mixed,
        }
    }
}

impl Unit {
    pub(crate) fn of(format: TextFormat) -> Self {
        match format.bom() {
            _ if !format.is_utf16() => Self::Byte,
            b"\xfe\xff" => Self::Be16,
            _ => Self::Le16,
        }
    }

    /// How many bytes a line feed has.
    pub(crate) fn width(self) -> usize {
        self.lf().len()
    }

    /// The bytes of a line feed.
    pub(crate) fn lf(self) -> &'static [u8] {
        match self {
            Self::Byte => b"\n",
            Self::Le16 => b"\n\0",
            Self::Be16 => b"\0\n",
        }
    }

    /// The bytes of a carriage return.
    pub(crate) fn cr(self) -> &'static [u8] {
        match self {
            Self::Byte => b"\r",
            Self::Le16 => b"\r\0",
            Self::Be16 => b"\0\r",
        }
    }

    /// Where `finder` finds its text at or behind `from`, at the start of a character.
    pub(crate) fn find(self, text: &[u8], finder: &Finder<'_>, from: usize) -> Option<usize> {
        let mut from = from;
        loop {
            let at = from + finder.find(text.get(from..)?)?;
            if at.is_multiple_of(self.width()) {
                return Some(at);
            }
            from = at + 1;
        }
    }

    /// The offsets of all line feeds.
    pub(crate) fn line_feeds(self, text: &[u8]) -> impl DoubleEndedIterator<Item = usize> {
        // In UTF-16, the byte of a line feed may be half of another character.
        let second = usize::from(self == Self::Be16);
        memchr::memchr_iter(b'\n', text).filter_map(move |byte| {
            let at = byte.checked_sub(second)?;
            (self == Self::Byte || at % 2 == 0 && text.get(at..at + 2) == Some(self.lf())).then_some(at)
        })
    }

    /// How many line feeds there are.
    pub(crate) fn count_line_feeds(self, text: &[u8]) -> usize {
        match self {
            Self::Byte => memchr::memchr_iter(b'\n', text).count(),
            _ => self.line_feeds(text).count(),
        }
    }

    /// Whether nothing follows the last line feed.
    pub(crate) fn is_ended(self, text: &[u8]) -> bool {
        text.is_empty() || text.len().is_multiple_of(self.width()) && text.ends_with(self.lf())
    }

    /// The lines, each with its line feed; what follows the last one is a line too.
    pub(crate) fn lines(self, text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let end = Some(text.len()).filter(|_| !self.is_ended(text));
        let ends = self.line_feeds(text).map(move |feed| feed + self.width()).chain(end);
        ends.scan(0, move |from, end| Some(&text[std::mem::replace(from, end)..end]))
    }

    /// How many lines there are.
    pub(crate) fn count_lines(self, text: &[u8]) -> usize {
        self.count_line_feeds(text) + usize::from(!self.is_ended(text))
    }

    /// Whether the line feed at `at` has a carriage return before it.
    pub(crate) fn is_crlf(self, text: &[u8], at: usize) -> bool {
        at.checked_sub(self.width()).is_some_and(|before| text.get(before..at) == Some(self.cr()))
    }

    /// What ends the lines.
    pub(crate) fn line_ends(self, text: &[u8]) -> LineEnds {
        if memchr::memchr(b'\r', text).is_none() {
            return if self.line_feeds(text).next().is_some() { LineEnds::Lf } else { LineEnds::None };
        }
        let mut found = LineEnds::None;
        for at in self.line_feeds(text) {
            found = found.or(if self.is_crlf(text, at) { LineEnds::CrLf } else { LineEnds::Lf });
            if found == LineEnds::Mixed {
                break;
            }
        }
        found
    }

    /// Where the line that holds the offset `at` begins.
    pub(crate) fn line_start(self, text: &[u8], at: usize) -> usize {
        self.line_feeds(&text[..at]).next_back().map_or(0, |feed| feed + self.width())
    }

    /// Where the line that holds the offset `at` ends, its line feed included.
    pub(crate) fn line_end(self, text: &[u8], at: usize) -> usize {
        self.line_feeds(&text[at..]).next().map_or(text.len(), |feed| at + feed + self.width())
    }
}

/// The text with LF for each CRLF. A CR that stands alone is a character like any other.
pub(crate) fn with_lf(text: &str) -> Cow<'_, str> {
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// A text that has no CRLF, with CRLF for each LF.
pub(crate) fn with_crlf(text: &str) -> Cow<'_, str> {
    if text.contains('\n') { text.replace('\n', "\r\n").into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, unit: Unit) -> Vec<u8> {
        let bytes = |code: u16| if unit == Unit::Le16 { code.to_le_bytes() } else { code.to_be_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn half_of_a_character_is_no_line_feed() {
        // U+0A0A and U+0D0A hold the byte of a line feed, and so do two neighbours across their border.
        for unit in [Unit::Le16, Unit::Be16] {
            let text = utf16("\u{0a0a}\u{0d0a}\u{0a00}\u{000d}\n\u{0a00}x\n", unit);
            assert_eq!(unit.line_feeds(&text).collect::<Vec<_>>(), [8, 14], "{unit:?}");
            assert_eq!(unit.line_feeds(&text).rev().collect::<Vec<_>>(), [14, 8], "{unit:?}");
            assert_eq!(unit.line_ends(&text), LineEnds::Mixed);
            assert_eq!((unit.line_start(&text, 12), unit.line_end(&text, 10)), (10, 16));
        }
    }

    #[test]
    fn line_ends_are_told_apart() {
        for (text, ends) in [
            ("", LineEnds::None),
            ("a\rb", LineEnds::None),
            ("a\nb", LineEnds::Lf),
            ("a\rb\n", LineEnds::Lf),
            ("a\r\n\r\n", LineEnds::CrLf),
            ("a\r\r\n", LineEnds::CrLf),
            ("a\r\nb\n", LineEnds::Mixed),
        ] {
            assert_eq!(Unit::Byte.line_ends(text.as_bytes()), ends, "{text:?}");
            assert_eq!(Unit::Be16.line_ends(&utf16(text, Unit::Be16)), ends, "{text:?}");
        }
    }

    #[test]
    fn lines_reach_from_one_line_feed_to_the_next() {
        let text = b"ab\ncd\n";
        let line = |at| (Unit::Byte.line_start(text, at), Unit::Byte.line_end(text, at));
        assert_eq!([line(0), line(2), line(3), line(6)], [(0, 3), (0, 3), (3, 6), (6, 6)]);
        assert_eq!(Unit::Byte.count_line_feeds(text), 2);
    }
}
