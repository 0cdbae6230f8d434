//! A word, as far as its value is known before the command runs.

use super::{List, Span};

/// A word as the shell would pass it on, as far as that is known.
///
/// Neighbouring texts are one part and no text is empty, so a word without parts is the empty argument.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word {
    parts: Vec<Part>,
    span: Span,
}

/// A piece of a [`Word`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Exactly this text; quotes and escapes are resolved.
    Text(String),
    /// Unquoted `*`, `?` or `[…]` as written: the word may become the names of files that fit, or stay as it is. The pattern of
    /// the whole word is its globs as they are and its texts with every character protected.
    Glob(String),
    /// A value that is only known when the command runs.
    Unknown {
        /// What it comes from.
        what: Unknown,
        /// Inside double quotes, or in a place where the shell does not split: it stays within its word.
        quoted: bool,
    },
}

/// Where an unknown value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// `$name` or `${name}`; also `$?`, `$1` and the other special parameters that are one value.
    Variable(String),
    /// `$@` or `$*`: any number of words, also inside quotes.
    Parameters,
    /// A value made from the named variable, as in `${name:-word}`, `${name%.c}` or `${#name}`.
    Modified(String),
    /// `$((…))`, with the variables in it. The shell evaluates the value of such a variable as an expression again.
    Arithmetic(Vec<String>),
    /// `$(…)` or backquotes: what the commands print.
    Substitution(List),
    /// `<(…)`: a file from which the output of the commands can be read.
    ProcessInput(List),
    /// `>(…)`: a file that the commands read.
    ProcessOutput(List),
    /// `~` and the name behind it, where the shell replaces them by a directory.
    Tilde(Tilde),
}

/// The directories that a tilde stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tilde {
    /// `~`: the user's home.
    Home,
    /// `~name`: another user's home, or the text itself when there is no such user.
    User(String),
    /// `~+`, `~-` or `~1`: a directory that the shell remembers.
    Remembered(String),
}

impl Word {
    /// A word made of `parts`; neighbouring texts are joined and empty ones left out.
    #[must_use]
    pub fn new(parts: impl IntoIterator<Item = Part>, span: Span) -> Self {
        let mut word = Self { parts: Vec::new(), span };
        for part in parts {
            word.push(part);
        }
        word
    }

    /// A word that is exactly `text`.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::new([Part::Text(text.into())], Span::default())
    }

    /// The parts in order.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Where the word stands. The words that one brace expansion makes share its place.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The value, when it is wholly known.
    ///
    /// ```
    /// use agentscope_tool_builtins::bash::{Part, Span, Word};
    ///
    /// assert_eq!(Word::text("-la").literal(), Some("-la"));
    /// assert_eq!(Word::new([Part::Glob("*".into())], Span::default()).literal(), None);
    /// ```
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// What the value surely starts with. Of a word that may become several (see [`Word::is_one`]) this holds for the first,
    /// and only if the word does not vanish.
    #[must_use]
    pub fn literal_prefix(&self) -> &str {
        match self.parts.first() {
            Some(Part::Text(text)) => text,
            _ => "",
        }
    }

    /// Whether the word becomes exactly one argument: it has no unquoted value that may be split or vanish, and no pattern
    /// that may become several names.
    #[must_use]
    pub fn is_one(&self) -> bool {
        self.parts.iter().all(|part| match part {
            Part::Text(_) => true,
            Part::Glob(_) => false,
            Part::Unknown { what: Unknown::Parameters, .. } => false,
            Part::Unknown {
                what: Unknown::Tilde(_) | Unknown::ProcessInput(_) | Unknown::ProcessOutput(_), ..
            } => true,
            Part::Unknown { quoted, .. } => *quoted,
        })
    }

    /// Whether the word may become names of files.
    #[must_use]
    pub fn has_glob(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Glob(_)))
    }

    /// The path below the user's home, for `~`, `~/…`, `$HOME` and `$HOME/…` whose rest is known. Empty for the home itself.
    ///
    /// Only true while the script leaves `HOME` alone.
    #[must_use]
    pub fn home_relative(&self) -> Option<&str> {
        let is_home = |what: &Unknown| match what {
            Unknown::Tilde(tilde) => *tilde == Tilde::Home,
            Unknown::Variable(name) => name == "HOME",
            _ => false,
        };
        match self.parts.as_slice() {
            [Part::Unknown { what, .. }] if is_home(what) => Some(""),
            [Part::Unknown { what, .. }, Part::Text(rest)] if is_home(what) => rest.strip_prefix('/'),
            _ => None,
        }
    }

    /// The unknown values in the word.
    pub fn unknowns(&self) -> impl Iterator<Item = &Unknown> {
        self.parts.iter().filter_map(|part| match part {
            Part::Unknown { what, .. } => Some(what),
            _ => None,
        })
    }

    pub(in crate::bash) fn push(&mut self, part: Part) {
        match (self.parts.last_mut(), part) {
            (_, Part::Text(text) | Part::Glob(text)) if text.is_empty() => {}
            (Some(Part::Text(before)), Part::Text(text)) | (Some(Part::Glob(before)), Part::Glob(text)) => {
                before.push_str(&text)
            }
            (_, part) => self.add(part),
        }
    }

    fn add(&mut self, part: Part) {
        if self.parts.is_empty() {
            // Nearly all words have one part.
            self.parts.reserve_exact(1);
        }
        self.parts.push(part);
    }

    pub(in crate::bash) fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(before)) => before.push_str(text),
            _ => self.add(Part::Text(text.to_owned())),
        }
    }

    pub(in crate::bash) fn append(&mut self, other: Self) {
        for part in other.parts {
            self.push(part);
        }
    }

    pub(in crate::bash) fn set_span(&mut self, span: Span) {
        self.span = span;
    }

    pub(in crate::bash) fn parts_mut(&mut self) -> &mut [Part] {
        &mut self.parts
    }
}
