//! Why a command, or the rest of it, is not understood.

use super::Span;

/// The place at which a text stops being understood, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Fault {
    /// The reason, in words for a person and for a model that can write the command anew.
    pub kind: FaultKind,
    /// Where.
    pub span: Span,
}

/// The reasons for not understanding a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum FaultKind {
    /// More bytes than are looked at.
    #[error("the command is longer than 16 KiB; write it to a script, or split it into several calls")]
    TooLong,
    /// More simple commands than are looked at.
    #[error("the command has more than 64 simple commands; split it into several calls")]
    TooManyCommands,
    /// Deeper nesting than is followed.
    #[error("the command is nested more than 16 levels deep; split it into several calls")]
    TooDeep,
    /// Braces that make too many words, or are too tangled.
    #[error("the braces expand to too much; write the words out")]
    TooManyBraces,
    /// NUL, another control character, or a carriage return.
    #[error("the command has the control character U+{0:04X}; leave it out, or write it as an escape")]
    ControlCharacter(u32),
    /// A blank that the shell takes for a letter, or a character that nobody sees.
    #[error("the command has the invisible or blank character U+{0:04X}; leave it out")]
    InvisibleCharacter(u32),
    /// A quote without its end.
    #[error("a quote is not closed; close it")]
    UnclosedQuote,
    /// A bracket, group or loop without its end.
    #[error("a group, loop, condition or substitution is not closed; close it")]
    Unclosed,
    /// Here-document without its last line.
    #[error("a here-document has no line that ends it; add the line with its delimiter")]
    UnclosedHereDocument,
    /// A token where the grammar has none.
    #[error("the shell would not accept this, or it is not understood; write it as plain commands")]
    Unexpected,
    /// Syntax that is known, but not followed.
    #[error("{0} is not analysed; write it in another way")]
    Unsupported(&'static str),
}
