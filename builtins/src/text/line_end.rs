//! How lines end.

use std::borrow::Cow;

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
}

impl LineEnd {
    /// How the lines of a text around a place end: the next line end, or else the one before. Nothing if there is none.
    pub(crate) fn near(text: &[u8], at: usize) -> Option<Self> {
        let next = memchr::memchr(b'\n', &text[at..]).map(|distance| at + distance);
        Self::at(text, next.or_else(|| memchr::memrchr(b'\n', &text[..at]))?)
    }

    /// How all lines of a text end, if they all end alike.
    pub(crate) fn of_all(text: &[u8]) -> Option<Self> {
        let mut ends = memchr::memchr_iter(b'\n', text).filter_map(|at| Self::at(text, at));
        let first = ends.next()?;
        ends.all(|end| end == first).then_some(first)
    }

    fn at(text: &[u8], lf: usize) -> Option<Self> {
        Some(if lf > 0 && text[lf - 1] == b'\r' { Self::CrLf } else { Self::Lf })
    }
}

/// The text with all its lines ending alike. A carriage return that ends no line stays.
pub(crate) fn with_line_ends(text: &str, end: LineEnd) -> Cow<'_, str> {
    let lf = match text.contains("\r\n") {
        true => Cow::Owned(text.replace("\r\n", "\n")),
        false => Cow::Borrowed(text),
    };
    match end {
        LineEnd::CrLf if lf.contains('\n') => Cow::Owned(lf.replace('\n', "\r\n")),
        _ => lf,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_line_end_counts_and_else_the_one_before() {
        let text = b"a\r\nb\nc";
        assert_eq!(LineEnd::near(text, 0), Some(LineEnd::CrLf));
        assert_eq!(LineEnd::near(text, 3), Some(LineEnd::Lf));
        assert_eq!(LineEnd::near(text, 6), Some(LineEnd::Lf));
        assert_eq!(LineEnd::near(b"a", 0), None);
        assert_eq!((LineEnd::of_all(text), LineEnd::of_all(b"a\r\nb\r\n")), (None, Some(LineEnd::CrLf)));
    }

    #[test]
    fn all_lines_end_alike_and_other_carriage_returns_stay() {
        assert_eq!(with_line_ends("a\nb\r\nc\rd", LineEnd::CrLf), "a\r\nb\r\nc\rd");
        assert_eq!(with_line_ends("a\nb\r\nc\rd", LineEnd::Lf), "a\nb\nc\rd");
    }
}
