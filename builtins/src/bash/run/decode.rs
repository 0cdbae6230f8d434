//! From the bytes of one output stream to text, in whatever pieces they come.

use std::fmt::Write;

/// Decodes one stream. What a piece leaves open, a character or the end of a line, waits for the next one.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    /// The first bytes of a character: three at most.
    open: Vec<u8>,
    /// A carriage return that may belong to an end of line.
    return_waits: bool,
}

impl Decoder {
    /// Appends the text of the next piece: `\r\n` becomes `\n`, and a byte that is no UTF-8 is written as `\xFF`.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut String) {
        if self.open.is_empty() {
            self.decode(bytes, out);
        } else {
            let mut whole = std::mem::take(&mut self.open);
            whole.extend_from_slice(bytes);
            self.decode(&whole, out);
        }
    }

    /// Appends what is left when nothing follows.
    pub(super) fn finish(&mut self, out: &mut String) {
        let open = std::mem::take(&mut self.open);
        self.escape(&open, out);
        if std::mem::take(&mut self.return_waits) {
            out.push('\r');
        }
    }

    fn decode(&mut self, bytes: &[u8], out: &mut String) {
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.text(chunk.valid(), out);
            let invalid = chunk.invalid();
            if chunks.peek().is_none() && may_go_on(invalid) {
                self.open.extend_from_slice(invalid);
            } else {
                self.escape(invalid, out);
            }
        }
    }

    fn text(&mut self, text: &str, out: &mut String) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.return_waits) && !text.starts_with('\n') {
            out.push('\r');
        }
        let mut rest = text;
        while let Some(at) = memchr::memchr(b'\r', rest.as_bytes()) {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            match rest.as_bytes().first() {
                Some(b'\n') => {}
                Some(_) => out.push('\r'),
                None => self.return_waits = true,
            }
        }
        out.push_str(rest);
    }

    fn escape(&mut self, bytes: &[u8], out: &mut String) {
        if !bytes.is_empty() && std::mem::take(&mut self.return_waits) {
            out.push('\r');
        }
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\x{byte:02X}");
        }
    }
}

/// Whether the bytes, which are no character, are the start of one.
fn may_go_on(bytes: &[u8]) -> bool {
    let whole = match bytes.first() {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => 0,
    };
    bytes.len() < whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode<'p>(pieces: impl IntoIterator<Item = &'p [u8]>) -> String {
        let (mut decoder, mut out) = (Decoder::default(), String::new());
        for piece in pieces {
            decoder.push(piece, &mut out);
        }
        decoder.finish(&mut out);
        out
    }

    #[test]
    fn what_is_no_text_is_shown_as_numbers() {
        assert_eq!(decode([&b"a\xFFb\n"[..]]), "a\\xFFb\n");
        assert_eq!(decode([&b"\xE2\x82"[..]]), "\\xE2\\x82");
        assert_eq!(decode([&b"\xE2\x82"[..], b"x"]), "\\xE2\\x82x");
        assert_eq!(decode([&b"\xC0\x80\xED\xA0\x80"[..]]), "\\xC0\\x80\\xED\\xA0\\x80");
    }

    #[test]
    fn only_the_carriage_return_of_an_end_of_line_goes() {
        assert_eq!(decode([&b"a\r\nb\rc\r\r\nd\r"[..]]), "a\nb\rc\r\nd\r");
        assert_eq!(decode([&b"a\r"[..], b"\nb\r", b"", b"c\r", b"\xFF"]), "a\nb\rc\r\\xFF");
    }

    proptest! {
        #[test]
        fn the_text_is_the_same_in_whatever_pieces_the_bytes_come(
            bytes in prop::collection::vec(prop_oneof![Just(b'\r'), Just(b'\n'), Just(0xE2), Just(0x82), Just(0xAC), Just(0xF0), any::<u8>()], 0..40),
            cuts in prop::collection::vec(0..5_usize, 0..40),
        ) {
            let mut pieces = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            pieces.push(rest);
            prop_assert_eq!(decode(pieces), decode([bytes.as_slice()]));
        }

        #[test]
        fn text_comes_out_as_it_went_in(text in "\\PC{0,40}") {
            prop_assert_eq!(decode(text.as_bytes().chunks(3)), text);
        }
    }
}
