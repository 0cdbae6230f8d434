//! What stands in the file where the old text was: the new text, with the line ends that the file has there.

use std::ops::Range;

use super::matching::Needle;
use crate::unit::{LineEnds, Unit};

/// A new text in the file's encoding.
#[derive(Debug)]
pub(crate) enum Replacement {
    /// The same bytes everywhere.
    Same(Vec<u8>),
    /// Each place has line ends of its own.
    ByPlace {
        /// The pieces between the line ends of the new text.
        new: Vec<Vec<u8>>,
        /// The same of the old text.
        old: Vec<Vec<u8>>,
        unit: Unit,
    },
}

impl Replacement {
    /// The new text for a file with those line ends; `given` is the new text as the model wrote it.
    pub(crate) fn new(old: &Needle, new: Needle, given: Vec<u8>, ends: LineEnds, unit: Unit) -> Self {
        match ends {
            _ if new.lf.len() == new.crlf.len() => Self::Same(new.lf),
            // There is nothing to go by.
            LineEnds::None => Self::Same(given),
            LineEnds::Lf => Self::Same(new.lf),
            LineEnds::CrLf => Self::Same(new.crlf),
            LineEnds::Mixed => Self::ByPlace { new: pieces(&new.lf, unit), old: pieces(&old.lf, unit), unit },
        }
    }

    /// Appends what replaces that place of the text.
    pub(crate) fn append(&self, out: &mut Vec<u8>, text: &[u8], place: Range<usize>) {
        match self {
            Self::Same(bytes) => out.extend_from_slice(bytes),
            Self::ByPlace { new, old, unit } => by_place(out, text, place, new, old, *unit),
        }
    }

    /// How many bytes it has at most.
    pub(crate) fn most_bytes(&self) -> usize {
        match self {
            Self::Same(bytes) => bytes.len(),
            Self::ByPlace { new, unit, .. } => {
                new.iter().map(Vec::len).sum::<usize>() + (new.len() - 1) * 2 * unit.width()
            }
        }
    }
}

/// Lines that the two texts begin or end with keep their line ends; those in between take the ends of the lines that
/// they replace, and further ones that of the line below.
fn by_place(out: &mut Vec<u8>, text: &[u8], place: Range<usize>, new: &[Vec<u8>], old: &[Vec<u8>], unit: Unit) {
    let kinds: Vec<bool> = unit
        .line_feeds(&text[place.clone()])
        .map(|feed| unit.is_crlf(&text[..place.end], place.start + feed))
        .collect();
    let (old_ends, new_ends) = (kinds.len(), new.len() - 1);
    let most = old_ends.min(new_ends);
    let first = new.iter().zip(old).take(most).take_while(|(new, old)| new == old).count();
    let last = new.iter().rev().zip(old.iter().rev()).take(most - first).take_while(|(new, old)| new == old).count();
    let is_crlf = |end: usize| {
        if end < first {
            kinds[end]
        } else if end + last >= new_ends {
            kinds[old_ends - (new_ends - end)]
        } else if first + last < old_ends {
            kinds[end.min(old_ends - last - 1)]
        } else if last > 0 {
            kinds[old_ends - last]
        } else {
            neighbour(text, &place, unit)
        }
    };
    for (index, piece) in new.iter().enumerate() {
        out.extend_from_slice(piece);
        if index < new_ends {
            if is_crlf(index) {
                out.extend_from_slice(unit.cr());
            }
            out.extend_from_slice(unit.lf());
        }
    }
}

/// Whether the next line end is CRLF, or if there is none, the one before.
fn neighbour(text: &[u8], place: &Range<usize>, unit: Unit) -> bool {
    let behind = unit.line_feeds(&text[place.end..]).next().map(|feed| place.end + feed);
    let feed = behind.or_else(|| unit.line_feeds(&text[..place.start]).next_back());
    feed.is_some_and(|feed| unit.is_crlf(text, feed))
}

/// The text between line feeds.
fn pieces(text: &[u8], unit: Unit) -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for feed in unit.line_feeds(text) {
        pieces.push(text[from..feed].to_vec());
        from = feed + unit.width();
    }
    pieces.push(text[from..].to_vec());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::matching::Search;
    use crate::text::TextFormat;
    use crate::unit::{with_crlf, with_lf};

    fn needle(text: &str) -> Needle {
        let lf = with_lf(text);
        Needle { lf: lf.as_bytes().to_vec(), crlf: with_crlf(&lf).into_owned().into() }
    }

    /// The text with every occurrence replaced.
    fn edited(text: &str, old: &str, new: &str) -> String {
        let ends = Unit::Byte.line_ends(text.as_bytes());
        let old = needle(old);
        let replacement = Replacement::new(&old, needle(new), new.into(), ends, Unit::Byte);
        let (mut out, mut from) = (Vec::new(), 0);
        for place in Search::new(text.as_bytes(), TextFormat::PLAIN, ends, &old).occurrences() {
            out.extend_from_slice(&text.as_bytes()[from..place.start]);
            let size = out.len();
            replacement.append(&mut out, text.as_bytes(), place.clone());
            assert!(out.len() - size <= replacement.most_bytes());
            from = place.end;
        }
        out.extend_from_slice(&text.as_bytes()[from..]);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn new_lines_end_as_those_of_the_file() {
        assert_eq!(edited("a\r\nb\r\n", "a\nb", "a\nx\nb"), "a\r\nx\r\nb\r\n");
        assert_eq!(edited("a\nb\n", "a\n", "x\r\ny\r\n"), "x\ny\nb\n");
        assert_eq!(edited("a", "a", "x\r\ny\nz"), "x\r\ny\nz");
    }

    #[test]
    fn a_carriage_return_that_stands_alone_is_kept() {
        assert_eq!(edited("k=1\nv=2\n", "k=1", "k='\r'"), "k='\r'\nv=2\n");
        assert_eq!(edited("a\r\nb\r\n", "\r", ""), "a\nb\n");
    }

    #[test]
    fn lines_that_stay_keep_their_own_ends_in_a_mixed_file() {
        assert_eq!(edited("a\r\nb\nc\r\n", "a\nb\n", "A\nB\n"), "A\r\nB\nc\r\n");
        assert_eq!(edited("a\r\nb\nc\r\n", "a\nb\n", "0\na\nb\n"), "0\r\na\r\nb\nc\r\n");
        assert_eq!(edited("a\r\nb\nc\r\n", "a\nb\n", "a\nb\nx\n"), "a\r\nb\nx\r\nc\r\n");
        assert_eq!(edited("a\r\nb\nc\r\n", "b\nc\n", "c\n"), "a\r\nc\r\n");
        assert_eq!(edited("a\r\nb\nc\r\n", "a\nb", "b"), "b\nc\r\n");
    }

    #[test]
    fn a_line_split_in_two_ends_as_it_ended() {
        assert_eq!(edited("ab\r\nc\n", "ab", "a\nb"), "a\r\nb\r\nc\n");
        assert_eq!(edited("ab\nc\r\nd", "d", "d\ne"), "ab\nc\r\nd\r\ne");
        assert_eq!(edited("x\r\nx\n", "x", "x\ny"), "x\r\ny\r\nx\ny\n");
    }
}
