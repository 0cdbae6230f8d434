//! Where a text is in a file.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::text::TextFormat;

/// A text to be found, as bytes.
pub(super) struct Needle {
    /// With lines that end with LF.
    bytes: Vec<u8>,
    has_lines: bool,
}

impl Needle {
    /// A text as a model writes it: it does not see how the lines of a file end.
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let bytes = match memmem::find(&bytes, b"\r\n") {
            Some(_) => Unified::of(&bytes).bytes.into_owned(),
            None => bytes,
        };
        Self { has_lines: bytes.contains(&b'\n'), bytes }
    }

    /// The places where it is, in order. Lines match whether they end with LF or with CRLF.
    pub(super) fn find(&self, text: &[u8], format: TextFormat, which: Which) -> Vec<Range<usize>> {
        // Without line ends in it, it cannot matter how they look.
        let unified = if self.has_lines { Unified::of(text) } else { Unified::same(text) };
        let finder = memmem::Finder::new(&self.bytes);
        let mut places = Vec::new();
        let mut from = 0;
        while let Some(at) = finder.find(&unified.bytes[from..]) {
            let start = from + at;
            let place = unified.original(start)..unified.original(start + self.bytes.len());
            let line = memchr::memrchr(b'\n', &text[..place.start]).map_or(0, |lf| lf + 1);
            if format.is_boundary(text, line, place.start) && format.is_boundary(text, line, place.end) {
                places.push(place);
                if which == Which::All {
                    from = start + self.bytes.len();
                    continue;
                }
                if places.len() == MOST {
                    break;
                }
            }
            from = start + 1;
        }
        places
    }
}

/// Which of the places are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those to be replaced together: all that do not overlap, from the first on.
    All,
    /// Those that could be meant, also those that overlap; of very many only the first.
    Candidates,
}

/// How many candidates are told apart at most.
pub(super) const MOST: usize = 1000;

/// A text with LF in place of each CRLF.
struct Unified<'t> {
    bytes: Cow<'t, [u8]>,
    /// Where in the unified text a CR was left out, each before this byte.
    left_out: Vec<usize>,
}

impl<'t> Unified<'t> {
    fn same(text: &'t [u8]) -> Self {
        Self { bytes: Cow::Borrowed(text), left_out: Vec::new() }
    }

    fn of(text: &'t [u8]) -> Self {
        let mut pairs = memmem::find_iter(text, b"\r\n").peekable();
        if pairs.peek().is_none() {
            return Self::same(text);
        }
        let mut bytes = Vec::with_capacity(text.len());
        let mut left_out = Vec::new();
        let mut at = 0;
        for pair in pairs {
            bytes.extend_from_slice(&text[at..pair]);
            left_out.push(bytes.len());
            at = pair + 1;
        }
        bytes.extend_from_slice(&text[at..]);
        Self { bytes: Cow::Owned(bytes), left_out }
    }

    /// The place in the text as it was. A place before an LF is before the CR that belongs to it.
    fn original(&self, at: usize) -> usize {
        at + self.left_out.partition_point(|left_out| *left_out < at)
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "one place is a list of one range")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn find(text: &str, needle: &str) -> Vec<Range<usize>> {
        Needle::new(needle.into()).find(text.as_bytes(), TextFormat::PLAIN, Which::Candidates)
    }

    #[test]
    fn lines_match_however_they_end() {
        let text = "a\r\nb\nc\r\n";
        assert_eq!(find(text, "a\nb\nc"), [0..6]);
        assert_eq!(find(text, "a\r\nb\r\nc\r\n"), [0..8]);
        assert_eq!(find(text, "\nc"), [4..6]);
        assert_eq!(find(text, "\nb"), [1..4]);
        assert_eq!(find("x\ry", "x\r"), [0..2]);
        assert_eq!(find("a\nb", "a\r\nb"), [0..3]);
    }

    #[test]
    fn places_that_overlap_are_all_found() {
        assert_eq!(find("aaa", "aa"), [0..2, 1..3]);
        let all = Needle::new(b"aa".to_vec()).find(b"aaaa", TextFormat::PLAIN, Which::All);
        assert_eq!(all, [0..2, 2..4]);
    }

    #[test]
    fn the_inside_of_a_character_is_not_found() {
        // The second byte of the second character is that of an `O`.
        let text = b"\x96\xbc\x91\x4f=O";
        let format = TextFormat::of(text, true).unwrap();
        assert_eq!(Needle::new(b"O".to_vec()).find(text, format, Which::All), [5..6]);
    }

    proptest! {
        #[test]
        fn without_carriage_returns_it_is_a_plain_search(text in "[ab\n]{0,30}", needle in "[ab\n]{1,3}") {
            let plain: Vec<_> = (0..text.len()).filter(|at| text[*at..].starts_with(&needle)).map(|at| at..at + needle.len()).collect();
            prop_assert_eq!(find(&text, &needle), plain);
        }

        #[test]
        fn each_place_holds_the_text(text in "([ab]|\n|\r\n|\r){0,30}", needle in "([ab]|\n|\r\n){1,3}") {
            let lf = |text: &str| text.replace("\r\n", "\n");
            for place in find(&text, &needle) {
                prop_assert_eq!(lf(&text[place]), lf(&needle));
            }
        }
    }
}
