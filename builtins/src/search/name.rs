//! How names and lines that may hold any bytes are shown.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write;

/// A path as it is shown. What is not UTF-8 becomes `\xFF`, and what would end the line or hide something `\n`, `\u{7f}` and
/// the like, so that one path is one line and none looks like that of another file by a byte left out.
pub(crate) fn shown(path: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(path) {
        Ok(path) if !path.contains(char::is_control) => Cow::Borrowed(path),
        _ => {
            let mut text = String::with_capacity(path.len() + 8);
            for chunk in path.utf8_chunks() {
                for c in chunk.valid().chars() {
                    if c.is_control() {
                        text.extend(c.escape_default());
                    } else {
                        text.push(c);
                    }
                }
                escape(chunk.invalid(), &mut text);
            }
            Cow::Owned(text)
        }
    }
}

/// A line as it is shown: only what is not UTF-8 is escaped.
pub(crate) fn decoded(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(line) => Cow::Borrowed(line),
        Err(_) => {
            let mut text = String::with_capacity(line.len() + 8);
            for chunk in line.utf8_chunks() {
                text.push_str(chunk.valid());
                escape(chunk.invalid(), &mut text);
            }
            Cow::Owned(text)
        }
    }
}

fn escape(bytes: &[u8], text: &mut String) {
    for byte in bytes {
        // Writing to a text cannot fail.
        let _ = write!(text, "\\x{byte:02X}");
    }
}

/// The order of paths: by name, directory by directory, so that `a/b` comes before `a.txt`.
pub(crate) fn compare(one: &[u8], other: &[u8]) -> Ordering {
    let rank = |byte: &u8| if *byte == b'/' { 0 } else { u16::from(*byte) + 1 };
    one.iter().map(rank).cmp(other.iter().map(rank))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line_and_no_other_name() {
        assert_eq!(shown(b"plain \xc3\xa4.txt"), "plain ä.txt");
        assert_eq!(shown(b"n\xff.txt"), r"n\xFF.txt");
        assert_eq!(shown(b"two\nlines\x7f\x1b"), r"two\nlines\u{7f}\u{1b}");
    }

    #[test]
    fn a_line_keeps_every_byte_in_some_form() {
        assert_eq!(decoded(b"caf\xe9s\tx"), "caf\\xE9s\tx");
        assert_eq!(decoded("cafés".as_bytes()), "cafés");
    }

    #[test]
    fn a_directory_comes_before_names_that_it_starts() {
        let mut paths = ["a.txt", "a/z", "a", "a-b/c", "B", "a/b/c"].map(str::as_bytes);
        paths.sort_by(|one, other| compare(one, other));
        assert_eq!(paths.map(|path| std::str::from_utf8(path).unwrap()), ["B", "a", "a/b/c", "a/z", "a-b/c", "a.txt"]);
    }
}
