//! Text in files: its encoding, and the way from bytes to text and back that loses nothing.

mod page;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

pub(crate) use page::{Page, Pager, PagerLimits};

/// How many bytes are looked at for signs that a file is not text.
pub(crate) const HEAD: usize = 64 * 1024;

/// Fewer characters than this do not tell one Latin encoding from another.
const FEW: usize = 20;

/// How a file writes its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TextFormat {
    encoding: &'static Encoding,
    /// Whether it begins with a byte order mark.
    bom: bool,
}

impl TextFormat {
    /// UTF-8 without a byte order mark.
    pub(crate) const PLAIN: Self = Self { encoding: UTF_8, bom: false };

    /// The format of a text, from its first bytes or from all of it; nothing for what is not text.
    ///
    /// What is not valid UTF-8 is guessed. Text in UTF-8 in which a few bytes are wrong stays UTF-8.
    pub(crate) fn of(bytes: &[u8], is_whole: bool) -> Option<Self> {
        let marked = Encoding::for_bom(bytes).map(|(encoding, _)| Self { encoding, bom: true });
        if let Some(format) = marked.filter(|format| format.is_utf16()) {
            return format.has_ascii(bytes).then_some(format);
        }
        if memchr::memchr(0, &bytes[..bytes.len().min(HEAD)]).is_some() {
            return None;
        }
        Some(marked.unwrap_or_else(|| Self { encoding: guess(bytes, is_whole), bom: false }))
    }

    /// Whether text in UTF-16 has as much as a blank or a line end: two bytes at the start are too little to go by.
    fn has_ascii(self, bytes: &[u8]) -> bool {
        let text = &bytes[self.bom().len()..bytes.len().min(HEAD)];
        text.is_empty() || self.decode(text).0.contains(|c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='~'))
    }

    /// The encoding's name, where it is worth telling.
    pub(crate) fn name(self) -> Option<&'static str> {
        (self.encoding != UTF_8).then(|| self.encoding.name())
    }

    pub(crate) fn encoding_name(self) -> &'static str {
        self.encoding.name()
    }

    pub(crate) fn is_utf8(self) -> bool {
        self.encoding == UTF_8
    }

    pub(crate) fn is_utf16(self) -> bool {
        self.encoding == UTF_16LE || self.encoding == UTF_16BE
    }

    /// The byte order mark, if the file has one.
    pub(crate) fn bom(self) -> &'static [u8] {
        match self.bom {
            false => b"",
            true if self.encoding == UTF_16LE => b"\xff\xfe",
            true if self.encoding == UTF_16BE => b"\xfe\xff",
            true => b"\xef\xbb\xbf",
        }
    }

    pub(crate) fn encoding(self) -> &'static Encoding {
        self.encoding
    }

    /// The text of bytes behind the byte order mark, and whether some of them are not text.
    pub(crate) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, bool) {
        self.encoding.decode_without_bom_handling(bytes)
    }

    /// The same for a part of a text; if more follows, a character that the part ends in is left out.
    pub(crate) fn decode_part(self, bytes: &[u8], is_whole: bool) -> (String, bool) {
        let mut decoder = self.encoding.new_decoder_without_bom_handling();
        let mut text = String::with_capacity(decoder.max_utf8_buffer_length(bytes.len()).unwrap_or_default());
        let (_, _, wrong) = decoder.decode_to_string(bytes, &mut text, is_whole);
        (text, wrong)
    }

    /// The bytes of a text, without a byte order mark, or the first character that the encoding does not have.
    pub(crate) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        if self.is_utf8() {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        if self.is_utf16() {
            let bytes = |unit: u16| if self.encoding == UTF_16LE { unit.to_le_bytes() } else { unit.to_be_bytes() };
            return Ok(Cow::Owned(text.encode_utf16().flat_map(bytes).collect()));
        }
        let (bytes, _, lossy) = self.encoding.encode(text);
        if !lossy {
            return Ok(bytes);
        }
        let fails = |c: &char| self.encoding.encode(c.encode_utf8(&mut [0; 4])).2;
        Err(text.chars().find(fails).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Whether a place in `bytes` is between two characters; `start` is the start of a line or of the text before it.
    pub(crate) fn is_boundary(self, bytes: &[u8], start: usize, at: usize) -> bool {
        if self.is_utf16() {
            return (at - self.bom().len()).is_multiple_of(2);
        }
        // In UTF-8 and the encodings of one byte no character looks like a part of another.
        self.is_utf8() || self.encoding.is_single_byte() || !self.decode(&bytes[start..at]).1
    }
}

/// Whether bytes are the start of a character in UTF-8, of which the rest is missing.
fn is_incomplete(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

fn guess(bytes: &[u8], is_whole: bool) -> &'static Encoding {
    // By far the fastest way to look at a large text.
    if std::str::from_utf8(bytes).is_ok() {
        return UTF_8;
    }
    let (mut sound, mut wrong) = (0_usize, 0_usize);
    let mut chunks = bytes.utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        sound += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        // The first bytes of a text may end in the middle of a character.
        let is_cut = !is_whole && chunks.peek().is_none() && is_incomplete(chunk.invalid());
        wrong += usize::from(!chunk.invalid().is_empty() && !is_cut);
    }
    if wrong == 0 || sound > wrong {
        return UTF_8;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, is_whole);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // A few accents are too little to tell the Latin encodings apart, and most of them are alike in most of these.
    let latin = ["windows-1250", "windows-1254", "windows-1257", "windows-1258", "ISO-8859-2", "ISO-8859-4"];
    if wrong < FEW && latin.contains(&guess.name()) { WINDOWS_1252 } else { guess }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(bytes: &[u8]) -> Option<&'static str> {
        TextFormat::of(bytes, true).map(TextFormat::encoding_name)
    }

    #[test]
    fn formats_are_told_apart() {
        assert_eq!(name(b""), Some("UTF-8"));
        assert_eq!(name("na\u{ef}ve \u{1f600}".as_bytes()), Some("UTF-8"));
        assert_eq!(name(b"\xef\xbb\xbfx"), Some("UTF-8"));
        assert_eq!(name(b"\xff\xfeh\0"), Some("UTF-16LE"));
        assert_eq!(name(b"\xfe\xff\0h"), Some("UTF-16BE"));
        assert_eq!(name(b"price: 10\nnom: Ren\xe9\n"), Some("windows-1252"));
        assert_eq!(name(b"\x96\xbc\x91\x4f=\x92\x6c\nx=1\n"), Some("Shift_JIS"));
        assert_eq!(name(b"\x7fELF\x02\x01\x01\0"), None);
    }

    #[test]
    fn a_few_wrong_bytes_do_not_make_another_encoding_of_utf8() {
        let mut text = "stra\u{df}e caf\u{e9} \u{fc}ber \u{e4}\u{f6}".as_bytes().to_vec();
        text.push(0xff);
        assert_eq!(name(&text), Some("UTF-8"));
    }

    #[test]
    fn the_start_of_a_text_may_end_in_the_middle_of_a_character() {
        for character in ["\u{e9}", "\u{20ac}", "\u{1f600}"] {
            for end in 1..character.len() {
                let start = [b"only ascii before ", &character.as_bytes()[..end]].concat();
                assert_eq!(TextFormat::of(&start, false), Some(TextFormat::PLAIN), "{start:?}");
                assert_ne!(TextFormat::of(&start, true), Some(TextFormat::PLAIN), "{start:?}");
            }
        }
    }

    #[test]
    fn a_mark_does_not_make_data_a_text() {
        assert_eq!(TextFormat::of(b"\xef\xbb\xbfa\0\0", true), None);
        assert_eq!(TextFormat::of(b"\xff\xfe\0\x80\0\x81", true), None);
    }

    #[test]
    fn what_an_encoding_does_not_have_is_named() {
        let latin = TextFormat::of(b"Ren\xe9", true).unwrap();
        assert_eq!(latin.encode("\u{e9}").unwrap(), &b"\xe9"[..]);
        assert_eq!(latin.encode("a \u{2192} b"), Err('\u{2192}'));
    }

    #[test]
    fn a_place_inside_of_a_character_is_no_boundary() {
        let bytes = b"\x96\xbc\x91\x4f=\x92\x6c\nx=1\n";
        let format = TextFormat::of(bytes, true).unwrap();
        assert!(format.is_boundary(bytes, 0, 2) && !format.is_boundary(bytes, 0, 3) && format.is_boundary(bytes, 0, 4));
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded_to_the_same(text in "\\PC{0,40}", format in proptest::sample::select(vec![
            TextFormat::PLAIN, TextFormat { encoding: UTF_16LE, bom: true }, TextFormat { encoding: UTF_16BE, bom: true },
            TextFormat { encoding: encoding_rs::WINDOWS_1252, bom: false }, TextFormat { encoding: encoding_rs::EUC_KR, bom: false },
        ])) {
            if let Ok(bytes) = format.encode(&text) {
                prop_assert_eq!(format.decode(&bytes), (Cow::Borrowed(text.as_str()), false));
            }
        }

        #[test]
        fn any_bytes_have_a_format_or_are_no_text(bytes in proptest::collection::vec(any::<u8>(), 0..60), whole in any::<bool>()) {
            if let Some(format) = TextFormat::of(&bytes, whole) {
                format.decode(&bytes[format.bom().len()..]);
            }
        }
    }
}
