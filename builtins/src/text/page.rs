//! Some lines of a text that may be of any size.

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
    /// Whether bytes were shown escaped, because they are not text.
    pub(crate) escaped: bool,
    /// How many lines the text has, as far as it was looked at.
    pub(crate) seen: u64,
}

impl Pager {
    pub(crate) fn new(limits: PagerLimits, format: TextFormat) -> Self {
        Self { limits, format, ended: 0, line: Vec::new(), line_bytes: 0, page: Page::default() }
    }

    /// Takes the next piece.
    pub(crate) fn feed(&mut self, mut piece: &[u8]) {
        while !piece.is_empty() {
            if self.is_complete() {
                let ends = memchr_iter(b'\n', piece).count() as u64;
                self.ended += ends;
                let last = piece.len() - memchr::memrchr(b'\n', piece).map_or(0, |at| at + 1);
                self.line_bytes = if ends > 0 { last as u64 } else { self.line_bytes + last as u64 };
                return;
            }
            let end = memchr(b'\n', piece);
            let line = &piece[..end.unwrap_or(piece.len())];
            if self.is_wanted() {
                // Room for the longest characters, and for a carriage return at the end.
                let room = (self.limits.line_characters * 4 + 5).saturating_sub(self.line.len());
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
        let (text, escaped) = shown(bytes, self.format);
        let end = text.char_indices().nth(self.limits.line_characters).map(|(at, _)| at);
        let is_cut = end.is_some() || !kept_all;
        let text = &text[..end.unwrap_or(text.len())];
        let number = self.ended + 1;
        let room = self.limits.bytes.saturating_sub(self.page.text.len());
        if self.page.lines > 0 && text.len() + 32 > room {
            self.page.is_full = true;
            return;
        }
        let separator = if self.page.lines == 0 { "" } else { "\n" };
        let mark = if is_cut { "[truncated]" } else { "" };
        self.page.text.push_str(&format!("{separator}{number:>6}\t{text}{mark}"));
        self.page.lines += 1;
        self.page.cut += u64::from(is_cut);
        self.page.escaped |= escaped;
    }
}

/// A line as text. In UTF-8, bytes that are no text are shown as `\xNN`, so that nobody takes them for something else.
fn shown(line: &[u8], format: TextFormat) -> (String, bool) {
    if !format.is_utf8() {
        let (text, wrong) = format.decode(line);
        return (text.into_owned(), wrong);
    }
    let mut text = String::with_capacity(line.len());
    let mut escaped = false;
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            escaped = true;
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    (text, escaped)
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
