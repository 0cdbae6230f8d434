//! The start and the end of an output that may be endless, in bounded memory.

use std::borrow::Cow;

use super::command::OutputLimits;

/// What was kept of one output stream: bytes as the program wrote them.
///
/// ```
/// use agentscope_tool::backend::{Captured, OutputLimits};
///
/// let mut output = Captured::new(OutputLimits { head: 4, tail: 3 });
/// output.push(b"beginning");
/// output.push(b" and end");
/// assert_eq!((output.head(), output.cut(), output.tail()), (&b"begi"[..], 10, &b"end"[..]));
/// assert_eq!(output.to_text(), "begi\n[10 bytes left out]\nend");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Captured {
    limits: OutputLimits,
    head: Vec<u8>,
    /// Up to twice the limit, so that moving the end to the front is paid for by as many bytes read.
    tail: Vec<u8>,
    total: u64,
}

impl Captured {
    /// Nothing yet.
    #[must_use]
    pub fn new(limits: OutputLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes the next piece.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let (head, rest) = bytes.split_at(bytes.len().min(self.limits.head - self.head.len()));
        self.head.extend_from_slice(head);

        let limit = self.limits.tail;
        if rest.len() >= limit {
            self.tail.clear();
            self.tail.extend_from_slice(&rest[rest.len() - limit..]);
            return;
        }
        if self.tail.len() + rest.len() > limit.saturating_mul(2) {
            self.tail.drain(..self.tail.len() - (limit - rest.len()));
        }
        self.tail.extend_from_slice(rest);
    }

    /// The start of the output; all of it, when nothing was [cut](Self::cut) and the end is empty.
    #[must_use]
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// The end of the output that is not part of the start.
    #[must_use]
    pub fn tail(&self) -> &[u8] {
        &self.tail[self.tail.len().saturating_sub(self.limits.tail)..]
    }

    /// How many bytes between start and end were let go.
    #[must_use]
    pub fn cut(&self) -> u64 {
        self.total - self.head.len() as u64 - self.tail().len() as u64
    }

    /// How many bytes the program wrote.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether the program wrote nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Start and end in one; where something was cut, there is no sign of it.
    #[must_use]
    pub fn to_vec(&self) -> Vec<u8> {
        [self.head(), self.tail()].concat()
    }

    /// The output as text, with a line that says how many bytes are missing where something was cut. Bytes that are
    /// not UTF-8 become `U+FFFD`; a character is never cut into two.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        let (head, tail, cut) = (self.head(), self.tail(), self.cut());
        if tail.is_empty() && cut == 0 {
            return String::from_utf8_lossy(head);
        }
        if cut == 0 {
            return String::from_utf8_lossy(&self.to_vec()).into_owned().into();
        }
        let (head, lost_before) = without_partial_end(head);
        let (tail, lost_after) = without_partial_start(tail);
        let cut = cut + (lost_before + lost_after) as u64;
        let unit = if cut == 1 { "byte" } else { "bytes" };
        let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
        let before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
        let after = if tail.is_empty() || tail.starts_with('\n') { "" } else { "\n" };
        format!("{head}{before}[{cut} {unit} left out]{after}{tail}").into()
    }
}

/// Two are equal when they tell the same of an output.
impl PartialEq for Captured {
    fn eq(&self, other: &Self) -> bool {
        (self.head(), self.tail(), self.total) == (other.head(), other.tail(), other.total)
    }
}

impl Eq for Captured {}

/// The whole output of a program, kept completely.
impl From<Vec<u8>> for Captured {
    fn from(bytes: Vec<u8>) -> Self {
        Self { limits: OutputLimits::UNLIMITED, total: bytes.len() as u64, head: bytes, tail: Vec::new() }
    }
}

/// Leaves out the first bytes of a character whose others were cut off.
fn without_partial_end(bytes: &[u8]) -> (&[u8], usize) {
    let Some(chunk) = bytes.utf8_chunks().last() else { return (bytes, 0) };
    let invalid = chunk.invalid();
    let continues = match invalid.first() {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => 0,
    };
    let lost = if invalid.len() < continues { invalid.len() } else { 0 };
    (&bytes[..bytes.len() - lost], lost)
}

/// Leaves out the last bytes of a character whose first was cut off.
fn without_partial_start(bytes: &[u8]) -> (&[u8], usize) {
    let lost = bytes.iter().take(3).take_while(|byte| (0x80..=0xBF).contains(*byte)).count();
    (&bytes[lost..], lost)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_character_at_the_cut_is_left_out_whole() {
        let mut output = Captured::new(OutputLimits { head: 4, tail: 4 });
        output.push("äöüß→€".as_bytes());
        assert_eq!(output.to_text(), "äö\n[7 bytes left out]\n€");
        let mut output = Captured::new(OutputLimits { head: 3, tail: 4 });
        output.push("äöüß→€".as_bytes());
        assert_eq!(output.to_text(), "ä\n[9 bytes left out]\n€");
    }

    #[test]
    fn nothing_is_said_when_nothing_is_cut() {
        let mut output = Captured::new(OutputLimits { head: 2, tail: 5 });
        output.push("aäb€".as_bytes());
        assert_eq!((output.cut(), &*output.to_text()), (0, "aäb€"));
        output.push(b"!\n");
        assert_eq!((output.cut(), &*output.to_text()), (2, "a\n[3 bytes left out]\n€!\n"));
    }

    proptest! {
        #[test]
        fn start_and_end_are_those_of_the_whole(
            pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..12), head in 0..30_usize, tail in 0..30_usize,
        ) {
            let whole = pieces.concat();
            let mut output = Captured::new(OutputLimits { head, tail });
            for piece in &pieces {
                output.push(piece);
                prop_assert!(output.tail.len() <= 2 * tail);
            }
            let start = head.min(whole.len());
            let end = tail.min(whole.len() - start);
            prop_assert_eq!(output.head(), &whole[..start]);
            prop_assert_eq!(output.tail(), &whole[whole.len() - end..]);
            prop_assert_eq!(output.cut() as usize, whole.len() - start - end);
            prop_assert_eq!(output.to_text().contains("left out]"), output.cut() > 0);
        }
    }
}
