//! Where a text occurs in the bytes of a file. A line end in the text stands for LF and for CRLF alike, since who
//! quotes a file does not see which one it has.

use std::ops::Range;

use memchr::memmem::Finder;

use crate::text::TextFormat;
use crate::unit::{LineEnds, Unit};

/// A text to be found, in the file's encoding.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    /// With LF for each line end.
    pub lf: Vec<u8>,
    /// With CRLF for each line end.
    pub crlf: Vec<u8>,
}

impl Needle {
    pub(crate) fn has_line_end(&self) -> bool {
        self.lf.len() != self.crlf.len()
    }
}

/// A file's text with one way of finding a needle in it. Finds need memory for nothing but a copy of a text that has
/// both kinds of line ends.
#[derive(Debug)]
pub(crate) struct Search<'t> {
    text: &'t [u8],
    unit: Unit,
    finder: Finder<'t>,
    width: usize,
    folded: Option<Folded>,
    /// The encoding, if in it a part of a character may look like another character.
    ambiguous: Option<TextFormat>,
}

/// A text with LF for each CRLF.
#[derive(Debug)]
struct Folded {
    text: Vec<u8>,
    /// The offsets, in that text, of the line feeds that had a carriage return.
    shortened: Vec<usize>,
}

impl Folded {
    fn new(text: &[u8], unit: Unit) -> Self {
        let mut folded = Self { text: Vec::with_capacity(text.len()), shortened: Vec::new() };
        let mut from = 0;
        for feed in unit.line_feeds(text).filter(|feed| unit.is_crlf(text, *feed)) {
            folded.text.extend_from_slice(&text[from..feed - unit.width()]);
            folded.shortened.push(folded.text.len());
            from = feed;
        }
        folded.text.extend_from_slice(&text[from..]);
        folded
    }

    /// The offset in the text as it is in the file. That of a shortened line end is where its carriage return is.
    fn offset(&self, at: usize, unit: Unit) -> usize {
        at + self.shortened.partition_point(|feed| *feed < at) * unit.width()
    }
}

impl<'t> Search<'t> {
    /// Prepares to find `needle`, which is not empty, in a text of that format, without byte order mark, with those line
    /// ends.
    pub(crate) fn new(text: &'t [u8], format: TextFormat, ends: LineEnds, needle: &'t Needle) -> Self {
        let unit = Unit::of(format);
        let crlf = needle.has_line_end() && ends == LineEnds::CrLf;
        let bytes = if crlf { &needle.crlf } else { &needle.lf };
        let folded = (needle.has_line_end() && ends == LineEnds::Mixed).then(|| Folded::new(text, unit));
        let plain = format.is_utf8() || format.is_utf16() || format.encoding().is_single_byte();
        let ambiguous = (!plain).then_some(format);
        Self { text, unit, finder: Finder::new(bytes), width: bytes.len(), folded, ambiguous }
    }

    fn searched(&self) -> &[u8] {
        self.folded.as_ref().map_or(self.text, |folded| &folded.text)
    }

    fn range(&self, at: usize) -> Range<usize> {
        match &self.folded {
            Some(folded) => folded.offset(at, self.unit)..folded.offset(at + self.width, self.unit),
            None => at..at + self.width,
        }
    }

    /// The places where the text is, the first ones first; what comes next begins `step` bytes behind the start of one.
    fn places(&self, step: usize) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        let mut characters = self.ambiguous.map(|format| Characters { format, text: self.text, known: 0 });
        std::iter::from_fn(move || {
            loop {
                let at = self.unit.find(self.searched(), &self.finder, from)?;
                let range = self.range(at);
                if characters.as_mut().is_none_or(|characters| characters.is_whole(&range)) {
                    from = at + step;
                    return Some(range);
                }
                from = at + self.unit.width();
            }
        })
    }

    /// The occurrences that do not overlap, the first ones first.
    pub(crate) fn occurrences(&self) -> impl Iterator<Item = Range<usize>> {
        self.places(self.width)
    }

    /// All places, also those that overlap.
    pub(crate) fn candidates(&self) -> impl Iterator<Item = Range<usize>> {
        self.places(self.unit.width())
    }
}

/// Where characters begin in an encoding with characters of several bytes, the later of which look like others.
struct Characters<'t> {
    format: TextFormat,
    text: &'t [u8],
    /// A place where one is known to begin.
    known: usize,
}

impl Characters<'_> {
    /// Whether the range holds whole characters. Ranges are asked about in the order of their starts, which keeps the
    /// time linear also where a line has no end.
    fn is_whole(&mut self, range: &Range<usize>) -> bool {
        // No character holds the byte of a line end.
        if let Some(feed) = memchr::memrchr(b'\n', &self.text[self.known..range.start]) {
            self.known += feed + 1;
        }
        let known = self.known;
        let is_whole = |end: usize| self.format.is_boundary(self.text, known, end);
        if is_whole(range.start) {
            self.known = range.start;
            return self.format.is_boundary(self.text, range.start, range.end);
        }
        if range.start > known && is_whole(range.start - 1) {
            self.known = range.start - 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::unit::with_crlf;

    fn needle(text: &str) -> Needle {
        Needle { lf: text.into(), crlf: with_crlf(text).into_owned().into() }
    }

    #[track_caller]
    fn found(text: &str, old: &str) -> Vec<String> {
        let needle = needle(old);
        let search = Search::new(text.as_bytes(), TextFormat::PLAIN, Unit::Byte.line_ends(text.as_bytes()), &needle);
        search.occurrences().map(|range| text[range].to_owned()).collect()
    }

    #[test]
    fn a_line_end_stands_for_lf_and_crlf() {
        assert_eq!(found("a\nb", "a\nb"), ["a\nb"]);
        assert_eq!(found("a\r\nb", "a\nb"), ["a\r\nb"]);
        assert_eq!(found("a\r\nb\na\nb", "a\nb"), ["a\r\nb", "a\nb"]);
    }

    #[test]
    fn a_leading_line_end_takes_its_carriage_return_along() {
        assert_eq!(found("a\r\nb\r\n", "\nb"), ["\r\nb"]);
        assert_eq!(found("a\r\nb\n", "\nb"), ["\r\nb"]);
        assert_eq!(found("a\r\nb\n", "\nb\n"), ["\r\nb\n"]);
    }

    #[test]
    fn a_lone_carriage_return_is_a_character() {
        assert_eq!(found("a\rb\n", "a\nb"), Vec::<String>::new());
        assert_eq!(found("a\rb\r\nc\n", "a\rb\nc"), ["a\rb\r\nc"]);
    }

    #[test]
    fn places_that_overlap_are_ambiguous() {
        let needle = needle("aa");
        let ambiguous = |text: &str| {
            Search::new(text.as_bytes(), TextFormat::PLAIN, LineEnds::None, &needle).candidates().count() > 1
        };
        assert!(!ambiguous("baab"));
        assert!(ambiguous("baaab"));
        assert!(ambiguous("baab aa"));
        assert!(!ambiguous("b"));
        assert_eq!(found("aaaa", "aa").len(), 2);
    }

    #[test]
    fn characters_of_two_bytes_are_found_whole() {
        // 41 00 41 00 holds 00 41 at an odd offset.
        let needle = Needle { lf: vec![0x00, 0x41], crlf: vec![0x00, 0x41] };
        let text = [0x41, 0x00, 0x41, 0x00, 0x00, 0x41];
        let format = TextFormat::of(b"\xff\xfea\0", true).unwrap();
        let search = Search::new(&text, format, LineEnds::None, &needle);
        assert_eq!(search.occurrences().collect::<Vec<_>>(), [Range { start: 4, end: 6 }]);
        assert_eq!(search.candidates().count(), 1);
    }

    /// A name in Shift JIS, the last byte of whose second character is that of an `O`.
    const NAME: &[u8] = b"\x96\xbc\x91\x4f";

    #[test]
    fn the_inside_of_a_character_is_not_found() {
        let text = [NAME, b"=O\n", NAME, b"O", NAME].concat();
        let format = TextFormat::of(&text, true).unwrap();
        let needle = needle("O");
        let search = Search::new(&text, format, LineEnds::Lf, &needle);
        assert_eq!(search.occurrences().map(|range| range.start).collect::<Vec<_>>(), [5, 11]);
    }

    #[test]
    fn an_endless_line_takes_no_long_time() {
        let format = TextFormat::of(&[NAME, b"=O\n"].concat(), true).unwrap();
        let text = [NAME, b"O"].concat().repeat(200_000);
        let needle = needle("O");
        let start = std::time::Instant::now();
        assert_eq!(Search::new(&text, format, LineEnds::None, &needle).occurrences().count(), 200_000);
        assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    }

    proptest! {
        #[test]
        fn every_find_is_the_text_and_every_place_is_found(
            text in "[ab\r\n]{0,40}",
            old in "[ab\n]{1,3}",
        ) {
            let needle = needle(&old);
            let bytes = text.as_bytes();
            let search = Search::new(bytes, TextFormat::PLAIN, Unit::Byte.line_ends(bytes), &needle);
            let found: Vec<_> = search.occurrences().collect();
            for range in &found {
                prop_assert_eq!(text[range.clone()].replace("\r\n", "\n"), old.clone());
            }
            prop_assert_eq!(found.len(), text.replace("\r\n", "\n").matches(&old).count());
            prop_assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
