//! What is refused before a text is looked at, and how much work a text may cause.

use super::{Fault, FaultKind, Span};

/// The longest command that is analysed, in bytes.
pub const MAX_BYTES: usize = 16 * 1024;
/// The most simple commands in a command.
pub const MAX_COMMANDS: usize = 64;
/// The deepest nesting of groups, compound commands and substitutions.
pub const MAX_DEPTH: usize = 16;

/// What is left of the limits while a text is read; parts that are read on their own draw on the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) commands: usize,
    pub(super) depth: usize,
    /// Words that brace expansion may still make.
    pub(super) brace_words: usize,
    /// Bytes that brace expansion may still look at.
    pub(super) brace_work: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { commands: MAX_COMMANDS, depth: MAX_DEPTH, brace_words: 1024, brace_work: 128 * 1024 }
    }
}

/// Refuses texts that are too long, or that do not read as they run.
pub(super) fn screen(text: &str) -> Result<(), Fault> {
    if text.len() > MAX_BYTES {
        return Err(Fault { kind: FaultKind::TooLong, span: Span { start: MAX_BYTES, end: text.len() } });
    }
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n');
    let Some(first) = text.bytes().position(|byte| !plain(&byte)) else { return Ok(()) };
    let mut before = ' ';
    // The character before the first odd byte may matter for it.
    let from = first.saturating_sub(1);
    for (at, c) in text.get(from..).unwrap_or_default().char_indices() {
        let kind = match c {
            '\t' | '\n' => None,
            _ if c.is_control() => Some(FaultKind::ControlCharacter(c.into())),
            // Chooses between two pictures of an emoji; alone it would be invisible.
            '\u{FE0E}' | '\u{FE0F}' if !before.is_ascii() => None,
            _ if !c.is_ascii() && is_invisible(c) => Some(FaultKind::InvisibleCharacter(c.into())),
            _ => None,
        };
        if let Some(kind) = kind {
            let start = from + at;
            return Err(Fault { kind, span: Span { start, end: start + c.len_utf8() } });
        }
        before = c;
    }
    Ok(())
}

/// Blanks that are no blanks to a shell, characters without a shape, and those that change the order of what is shown.
fn is_invisible(c: char) -> bool {
    c.is_whitespace()
        || matches!(u32::from(c),
            0x00AD | 0x034F | 0x061C | 0x115F | 0x1160 | 0x17B4 | 0x17B5 | 0x180B..=0x180F
            | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0x2800 | 0x3164 | 0xFE00..=0xFE0F | 0xFEFF
            | 0xFFA0 | 0xFFF0..=0xFFFB | 0x13430..=0x13455 | 0x1BCA0..=0x1BCA3 | 0x1D159 | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

#[cfg(test)]
mod tests;
