//! The shells whose grammar is known.

/// The shell that will run a command: words and operators differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Shell {
    /// bash, started without options that change its grammar.
    #[default]
    Bash,
    /// A POSIX `sh`, such as dash. That may also be another shell in its POSIX mode, so what these do not agree on is not
    /// understood: braces, `&>`, `|&`, `$'…'`, `+=`, here-strings, process substitutions.
    Posix,
}
