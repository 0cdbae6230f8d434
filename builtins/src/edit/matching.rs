//! Where a text occurs in the bytes of a file. A line end in the text stands for LF and for CRLF alike, since who
//! quotes a file does not see which one it has.

use std::ops::Range;

use memchr::memmem::Finder;

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
    fn has_line_end(&self) -> bool {
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
    /// Prepares to find `needle`, which is not empty, in a text with those line ends.
    pub(crate) fn new(text: &'t [u8], unit: Unit, ends: LineEnds, needle: &'t Needle) -> Self {
        let crlf = needle.has_line_end() && ends == LineEnds::CrLf;
        let bytes = if crlf { &needle.crlf } else { &needle.lf };
        let folded = (needle.has_line_end() && ends == LineEnds::Mixed).then(|| Folded::new(text, unit));
        Self { text, unit, finder: Finder::new(bytes), width: bytes.len(), folded }
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

    /// The occurrences that do not overlap, the first ones first.
    pub(crate) fn occurrences(&self) -> impl Iterator<Item = Range<usize>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let at = self.unit.find(self.searched(), &self.finder, from)?;
            from = at + self.width;
            Some(self.range(at))
        })
    }

    /// Whether there is exactly one place where the text begins, overlapping ones counted.
    pub(crate) fn is_unique(&self) -> bool {
        let find = |from| self.unit.find(self.searched(), &self.finder, from);
        find(0).is_some_and(|at| find(at + self.unit.width()).is_none())
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
        let search = Search::new(text.as_bytes(), Unit::Byte, Unit::Byte.line_ends(text.as_bytes()), &needle);
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
    fn places_that_overlap_are_not_unique() {
        let needle = needle("aa");
        let unique = |text: &str| Search::new(text.as_bytes(), Unit::Byte, LineEnds::None, &needle).is_unique();
        assert!(unique("baab"));
        assert!(!unique("baaab"));
        assert!(!unique("baab aa"));
        assert!(!unique("b"));
        assert_eq!(found("aaaa", "aa").len(), 2);
    }

    #[test]
    fn characters_of_two_bytes_are_found_whole() {
        // 41 00 41 00 holds 00 41 at an odd offset.
        let needle = Needle { lf: vec![0x00, 0x41], crlf: vec![0x00, 0x41] };
        let text = [0x41, 0x00, 0x41, 0x00, 0x00, 0x41];
        let search = Search::new(&text, Unit::Le16, LineEnds::None, &needle);
        assert_eq!(search.occurrences().collect::<Vec<_>>(), [Range { start: 4, end: 6 }]);
        assert!(search.is_unique());
    }

    proptest! {
        #[test]
        fn every_find_is_the_text_and_every_place_is_found(
            text in "[ab\r\n]{0,40}",
            old in "[ab\n]{1,3}",
        ) {
            let needle = needle(&old);
            let bytes = text.as_bytes();
            let search = Search::new(bytes, Unit::Byte, Unit::Byte.line_ends(bytes), &needle);
            let found: Vec<_> = search.occurrences().collect();
            for range in &found {
                prop_assert_eq!(text[range.clone()].replace("\r\n", "\n"), old.clone());
            }
            prop_assert_eq!(found.len(), text.replace("\r\n", "\n").matches(&old).count());
            prop_assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
        }
    }
}
