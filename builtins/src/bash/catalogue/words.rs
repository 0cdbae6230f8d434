//! What is sure about a word that is not wholly known.

use std::borrow::Cow;

use crate::bash::{Part, Span, Tilde, Unknown, Word};

/// What an argument surely starts with, as far as options go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Not with a dash, and neither does anything it may be split into.
    Plain,
    /// With a dash; the rest may be unknown.
    Dash,
    /// Nobody knows.
    Any,
}

/// What `word` starts with.
pub(super) fn start(word: &Word) -> Start {
    let splits = splits(word);
    let first = match word.parts().first() {
        None => return Start::Plain,
        Some(Part::Text(text)) if text.starts_with('-') => return Start::Dash,
        Some(Part::Text(_)) => true,
        Some(Part::Glob(pattern)) => names_start_plain(pattern),
        Some(Part::Unknown { what, quoted }) => match what {
            Unknown::Tilde(_) | Unknown::ProcessInput(_) | Unknown::ProcessOutput(_) => true,
            Unknown::Variable(name) => is_path_variable(name, *quoted) || is_number(name),
            _ => false,
        },
    };
    if first && !splits { Start::Plain } else { Start::Any }
}

/// Whether `word` becomes exactly one argument.
pub(super) fn is_one(word: &Word) -> bool {
    !splits(word) && !word.has_glob()
}

/// Whether parts of `word` may become words of their own, or vanish.
pub(super) fn splits(word: &Word) -> bool {
    word.parts().iter().any(|part| match part {
        Part::Unknown { what: Unknown::Parameters, .. } => true,
        Part::Unknown { what, quoted: false } => match what {
            Unknown::Tilde(_) | Unknown::ProcessInput(_) | Unknown::ProcessOutput(_) | Unknown::Arithmetic(_) => false,
            Unknown::Variable(name) => !(is_path_variable(name, false) || is_number(name)),
            _ => true,
        },
        _ => false,
    })
}

/// Variables that hold an absolute path. Unquoted, only the user's home is trusted to be free of blanks: the name of the
/// current directory may come from a repository.
fn is_path_variable(name: &str, quoted: bool) -> bool {
    name == "HOME" || (quoted && matches!(name, "PWD" | "OLDPWD"))
}

/// Parameters that are digits.
fn is_number(name: &str) -> bool {
    matches!(name, "?" | "#" | "$" | "UID" | "EUID" | "PPID" | "RANDOM" | "SECONDS" | "LINENO")
}

/// Whether the names that fit a pattern cannot start with a dash: true for a set of plain characters like `[ab]`.
fn names_start_plain(pattern: &str) -> bool {
    let Some(set) = pattern.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(set, _)| set) else {
        return false;
    };
    !set.is_empty() && set.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'))
}

/// The word without its first `bytes`, which have to lie in its literal prefix.
pub(super) fn behind<'a>(word: &Word, bytes: usize) -> Cow<'a, Word> {
    let mut parts = word.parts().iter();
    let mut rest = Vec::with_capacity(word.parts().len());
    if bytes > 0
        && let Some(Part::Text(text)) = parts.next()
    {
        rest.push(Part::Text(text.get(bytes..).unwrap_or_default().to_owned()));
    }
    rest.extend(parts.cloned());
    Cow::Owned(Word::new(rest, word.span()))
}

/// A word for something that is added when the command runs.
pub(super) fn unknown(name: &str, quoted: bool) -> Word {
    Word::new([unknown_part(name, quoted)], Span::default())
}

/// The user's home.
pub(super) fn home() -> Word {
    Word::new([Part::Unknown { what: Unknown::Tilde(Tilde::Home), quoted: false }], Span::default())
}

/// The part for something that is added when the command runs.
pub(super) fn unknown_part(name: &str, quoted: bool) -> Part {
    Part::Unknown { what: Unknown::Variable(name.to_owned()), quoted }
}

/// `word` with each `mark` in it replaced by something unknown that is one argument.
pub(super) fn replace_mark(word: &Word, mark: &str, with: &Part) -> Word {
    let mut parts = Vec::new();
    for part in word.parts() {
        match part {
            Part::Text(text) if !mark.is_empty() && text.contains(mark) => {
                for (index, piece) in text.split(mark).enumerate() {
                    if index > 0 {
                        parts.push(with.clone());
                    }
                    parts.push(Part::Text(piece.to_owned()));
                }
            }
            part => parts.push(part.clone()),
        }
    }
    Word::new(parts, word.span())
}
