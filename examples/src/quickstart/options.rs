//! The program's command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// How the program is used.
pub const USAGE: &str = "\
Prints the tools as a model is shown them, then runs a model's calls and prints what it reads in return.

usage: quickstart [--calls FILE]

  --calls FILE   run the calls in FILE, `-` for standard input; JSON Lines, one object a line:
                 {\"id\": \"call_1\", \"name\": \"count_lines\", \"input\": \"{\\\"path\\\": \\\"LICENSE\\\"}\"}
                 where `input` is the text that the model wrote, or a JSON object
                 (default: examples/calls.jsonl of this repository)
  --help         print this";

/// Where the calls come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Options {
    /// Run these calls.
    Run(Source),
    /// Say how the program is used.
    Help,
}

/// A command line that the program does not understand.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// There is no such option.
    #[error("there is no option `{0}`")]
    Unknown(String),
    /// `--calls` is not followed by a file.
    #[error("`--calls` needs a file, or `-` for standard input")]
    NoFile,
    /// `--calls` comes twice.
    #[error("`--calls` can be given once only")]
    Twice,
}

impl Options {
    /// Reads the arguments, without the program's name.
    ///
    /// # Errors
    /// When there is something that the program does not know.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, UsageError> {
        let mut arguments = arguments.into_iter();
        let mut source = None;
        while let Some(argument) = arguments.next() {
            match argument.to_str() {
                Some("--help" | "-h") => return Ok(Self::Help),
                Some("--calls") if source.is_some() => return Err(UsageError::Twice),
                Some("--calls") => source = Some(Source::from(arguments.next().ok_or(UsageError::NoFile)?)),
                _ => return Err(UsageError::Unknown(argument.to_string_lossy().into_owned())),
            }
        }
        Ok(Self::Run(source.unwrap_or_else(Source::of_this_repository)))
    }
}

impl Source {
    /// The calls that this repository holds.
    #[must_use]
    pub fn of_this_repository() -> Self {
        Self::File(Path::new(env!("CARGO_MANIFEST_DIR")).join("calls.jsonl"))
    }
}

impl From<OsString> for Source {
    fn from(file: OsString) -> Self {
        if file == "-" { Self::Stdin } else { Self::File(file.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Options, UsageError> {
        Options::parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn a_file_or_standard_input_may_be_named() {
        assert_eq!(parse(&[]), Ok(Options::Run(Source::of_this_repository())));
        assert_eq!(parse(&["--calls", "-"]), Ok(Options::Run(Source::Stdin)));
        assert_eq!(parse(&["--calls", "a.jsonl"]), Ok(Options::Run(Source::File("a.jsonl".into()))));
        assert_eq!(parse(&["--help"]), Ok(Options::Help));
    }

    #[test]
    fn whatever_else_is_refused() {
        assert_eq!(parse(&["--call", "-"]), Err(UsageError::Unknown("--call".into())));
        assert_eq!(parse(&["a.jsonl"]), Err(UsageError::Unknown("a.jsonl".into())));
        assert_eq!(parse(&["--calls"]), Err(UsageError::NoFile));
        assert_eq!(parse(&["--calls", "-", "--calls", "-"]), Err(UsageError::Twice));
    }
}
