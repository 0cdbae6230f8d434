//! Some lines of a text that may be of any size.

use std::fmt::Write as _;

use memchr::{memchr, memchr_iter};

use super::TextFormat;

/// Which lines are wanted, and how much of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PagerLimits {
    /// The first line, counted from 1.
    pub(crate) offset: u64,
    /// How many lines at most.
    pub(crate) lines: u64,
    /// How many characters of a line at most.
    pub(crate) line_characters: usize,
    /// How many bytes of text in all at most.
    pub(crate) bytes: usize,
}

/// Takes a text piece by piece and keeps the lines that are wanted. What it keeps is bounded, whatever comes.
///
/// Lines end with LF alone, as for the programs that search in files: other characters that separate lines for some are
/// characters like others here.
#[derive(Debug)]
pub(crate) struct Pager {
    limits: PagerLimits,
    format: TextFormat,
    /// How many lines have ended.
    ended: u64,
    /// The bytes of the current line that are kept.
    line: Vec<u8>,
    /// How many bytes the current line has so far, kept or not.
    line_bytes: u64,
    page: Page,
}

/// The lines that were wanted.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) text: String,
    /// How many lines are in it.
    pub(crate) lines: u64,
    /// How many of them were cut.
    pub(crate) cut: u64,
    /// Whether it ends before the last wanted line because there is no more room.
    pub(crate) is_full: bool,
    /// Whether bytes in it are no text: they are shown escaped in UTF-8, replaced in other encodings.
    pub(crate) escaped: bool,
    /// Whether NUL characters in it are shown escaped.
    pub(crate) has_nul: bool,
    /// How many lines the text has, as far as it was looked at.
    pub(crate) seen: u64,
}

impl PagerLimits {
    /// How many bytes of a line are worth keeping: the longest characters, one more of them and a carriage return.
    fn line_room(&self) -> usize {
        self.line_characters.saturating_mul(4).min(self.bytes).saturating_add(5)
    }
}

impl Pager {
    pub(crate) fn new(limits: PagerLimits, format: TextFormat) -> Self {
        Self { limits, format, ended: 0, line: Vec::new(), line_bytes: 0, page: Page::default() }
    }

    /// Takes the next piece.
    pub(crate) fn feed(&mut self, mut piece: &[u8]) {
        // Counting line ends is much faster than stopping at each of them.
        if !self.is_complete() && self.ended + 1 < self.limits.offset {
            let ends = memchr_iter(b'\n', piece).count() as u64;
            if self.ended + 1 + ends < self.limits.offset {
                return self.pass_over(piece, ends);
            }
        }
        while !piece.is_empty() {
            if self.is_complete() {
                return self.pass_over(piece, memchr_iter(b'\n', piece).count() as u64);
            }
            let end = memchr(b'\n', piece);
            let line = &piece[..end.unwrap_or(piece.len())];
            if self.is_wanted() {
                let room = self.limits.line_room().saturating_sub(self.line.len());
                self.line.extend_from_slice(&line[..line.len().min(room)]);
            }
            self.line_bytes += line.len() as u64;
            piece = &piece[line.len()..];
            if end.is_some() {
                piece = &piece[1..];
                self.end_line(true);
            }
        }
    }

    /// Counts the lines of a piece in which nothing is wanted.
    fn pass_over(&mut self, piece: &[u8], ends: u64) {
        let last = piece.len() - memchr::memrchr(b'\n', piece).map_or(0, |at| at + 1);
        self.ended += ends;
        self.line_bytes = if ends > 0 { last as u64 } else { self.line_bytes + last as u64 };
    }

    /// Whether all wanted lines are there.
    pub(crate) fn is_complete(&self) -> bool {
        self.page.is_full || self.page.lines >= self.limits.lines
    }

    /// The page; `at_end` says whether the text has ended with the last piece.
    pub(crate) fn finish(mut self, at_end: bool) -> Page {
        if self.line_bytes > 0 && at_end {
            self.end_line(false);
        }
        self.page.seen = self.ended;
        self.page
    }

    fn is_wanted(&self) -> bool {
        !self.is_complete() && self.ended + 1 >= self.limits.offset
    }

    fn end_line(&mut self, with_newline: bool) {
        if self.is_wanted() {
            self.show_line(with_newline);
        }
        self.ended += 1;
        self.line.clear();
        self.line_bytes = 0;
    }

    fn show_line(&mut self, with_newline: bool) {
        let kept_all = self.line_bytes == self.line.len() as u64;
        let bytes = match self.line.split_last() {
            Some((b'\r', rest)) if with_newline && kept_all => rest,
            _ => &self.line,
        };
        let shown = Shown::of(bytes, self.format, kept_all, self.limits);
        let text = &shown.text;
        let is_cut = shown.is_cut || !kept_all;
        let number = self.ended + 1;
        let room = self.limits.bytes.saturating_sub(self.page.text.len());
        if self.page.lines > 0 && text.len() + 32 > room {
            self.page.is_full = true;
            return;
        }
        let separator = if self.page.lines == 0 { "" } else { "\n" };
        let mark = if is_cut { "[truncated]" } else { "" };
        // Writing to a text does not fail.
        let _ = write!(self.page.text, "{separator}{number:>6}\t{text}{mark}");
        self.page.lines += 1;
        self.page.cut += u64::from(is_cut);
        self.page.escaped |= shown.escaped;
        self.page.has_nul |= shown.has_nul;
    }
}

/// What is shown of a line.
#[derive(Default)]
struct Shown {
    text: String,
    is_cut: bool,
    escaped: bool,
    has_nul: bool,
    characters: usize,
}

impl Shown {
    /// A line as text. In UTF-8, bytes that are no text are shown as `\xNN`, so that nobody takes them for something else.
    ///
    /// `is_whole` says whether the line ends with its last byte. What is kept of a longer one may end in the middle of a
    /// character, but only behind what there is room for.
    fn of(line: &[u8], format: TextFormat, is_whole: bool, limits: PagerLimits) -> Self {
        let mut shown = Self::default();
        if !format.is_utf8() {
            let (text, wrong) = format.decode_part(line, is_whole);
            shown.push_all(&text, limits);
            // What is wrong may be behind the part that is shown.
            shown.escaped = wrong && shown.text.contains(char::REPLACEMENT_CHARACTER);
            return shown;
        }
        for chunk in line.utf8_chunks() {
            if !shown.push_all(chunk.valid(), limits) {
                return shown;
            }
            for byte in chunk.invalid() {
                if !shown.push(&format!("\\x{byte:02X}"), limits) {
                    return shown;
                }
                shown.escaped = true;
            }
        }
        shown
    }

    fn push_all(&mut self, text: &str, limits: PagerLimits) -> bool {
        // Most lines fit as they are: none has more characters than bytes.
        if text.len() <= limits.line_characters.saturating_sub(self.characters)
            && self.text.len() + text.len() <= limits.bytes
            && memchr(0, text.as_bytes()).is_none()
        {
            self.characters += text.chars().count();
            self.text.push_str(text);
            return true;
        }
        let mut buffer = [0; 4];
        text.chars().all(|c| match c {
            '\0' => {
                let has_room = self.push("\\x00", limits);
                self.has_nul |= has_room;
                has_room
            }
            c => self.push(c.encode_utf8(&mut buffer), limits),
        })
    }

    /// Adds one character as it is shown, unless there is no more room.
    fn push(&mut self, shown: &str, limits: PagerLimits) -> bool {
        if self.characters >= limits.line_characters || self.text.len() + shown.len() > limits.bytes {
            self.is_cut = true;
            return false;
        }
        self.characters += 1;
        self.text.push_str(shown);
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: PagerLimits = PagerLimits { offset: 1, lines: 2000, line_characters: 2000, bytes: 1 << 20 };

    fn page(pieces: &[&[u8]], limits: PagerLimits) -> Page {
        let mut pager = Pager::new(limits, TextFormat::PLAIN);
        for piece in pieces {
            pager.feed(piece);
        }
        pager.finish(true)
    }

    #[test]
    fn lines_end_with_lf_alone_and_no_line_follows_the_last_end() {
        assert_eq!(page(&[b"a\r\n\x0cb\xe2\x80\xa8c\rd\n"], ALL).text, "     1\ta\n     2\t\u{c}b\u{2028}c\rd");
        assert_eq!(page(&[b"a\nb"], ALL).seen, 2);
        assert_eq!(page(&[b"\n"], ALL).text, "     1\t");
        assert_eq!(page(&[b""], ALL).seen, 0);
    }

    #[test]
    fn a_page_begins_and_ends_where_it_is_wanted() {
        let limits = PagerLimits { offset: 2, lines: 2, ..ALL };
        let page = page(&[b"1\n2", b"2\n", b"3\n4\n", b"5"], limits);
        assert_eq!((page.text.as_str(), page.seen), ("     2\t22\n     3\t3", 5));
    }

    #[test]
    fn long_lines_are_cut_between_characters_and_pages_between_lines() {
        let limits = PagerLimits { line_characters: 3, ..ALL };
        let cut = page(&["éé".as_bytes(), "éé\nabc\r\n".as_bytes()], limits);
        assert_eq!((cut.text.as_str(), cut.cut), ("     1\tééé[truncated]\n     2\tabc", 1));
        let full = page(&[b"abcdef\nabcdef\nabcdef\n"], PagerLimits { bytes: 60, ..ALL });
        assert_eq!((full.lines, full.is_full, full.seen), (2, true, 3));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_escaped() {
        let page = page(&[b"caf\xe9s"], ALL);
        assert_eq!((page.text.as_str(), page.escaped), ("     1\tcaf\\xE9s", true));
    }

    #[test]
    fn what_is_behind_the_cut_of_a_line_is_not_said_to_be_shown() {
        let limits = PagerLimits { line_characters: 3, ..ALL };
        // Only some bytes are kept of a long line, and the last of them may be half a character.
        for character in ["\u{e9}", "\u{20ac}", "\u{1f600}"] {
            for before in ["", "a", "ab"] {
                let page = page(&[before.as_bytes(), character.repeat(100).as_bytes()], limits);
                let expected: String = before.chars().chain(character.chars().cycle()).take(3).collect();
                assert_eq!(page.text, format!("     1\t{expected}[truncated]"));
                assert!(!page.escaped, "{before}{character}");
            }
        }
        assert!(!page(&[b"abcd\xff"], limits).escaped);
        assert!(page(&[b"ab\xff"], limits).escaped);
    }

    #[test]
    fn a_line_without_end_is_cut_at_the_limit_of_the_page() {
        let limits = PagerLimits { line_characters: usize::MAX, bytes: 100, ..ALL };
        for character in ["x", "\u{20ac}", "\0"] {
            let page = page(&[character.repeat(5000).as_bytes(), b"\nend"], limits);
            assert!(page.text.len() <= 120 && page.is_full && page.cut == 1 && !page.escaped, "{}", page.text);
        }
    }

    #[test]
    fn nul_characters_are_shown_escaped() {
        let page = page(&[b"a\0b"], ALL);
        assert_eq!((page.text.as_str(), page.has_nul, page.escaped), ("     1\ta\\x00b", true, false));
    }

    proptest! {
        #[test]
        fn how_a_text_is_cut_into_pieces_makes_no_difference(text in "[ab\\n\\ré]{0,60}", cut in 0_usize..60, offset in 1_u64..8, lines in 1_u64..5) {
            let limits = PagerLimits { offset, lines, line_characters: 4, ..ALL };
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            let (whole, pieces) = (page(&[bytes], limits), page(&[&bytes[..cut], &bytes[cut..]], limits));
            prop_assert_eq!(&whole.text, &pieces.text);
            prop_assert_eq!((whole.seen, whole.lines), (pieces.seen, pieces.lines));
            prop_assert_eq!(whole.seen, text.split_inclusive('\n').count() as u64);
        }

        #[test]
        fn every_line_is_shown_whole(lines in proptest::collection::vec("[a-zé ]{0,12}", 1..20)) {
            let text = lines.join("\n") + "\n";
            let shown = page(&[text.as_bytes()], ALL).text;
            let back: Vec<_> = shown.split('\n').map(|line| line[7..].to_owned()).collect();
            prop_assert_eq!(back, lines);
        }
    }
}
