//! What can be wrong with a settings file.

use std::fmt;

/// A settings file that cannot be used, with all that is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", faults.iter().map(|fault| format!("{file}{fault}")).collect::<Vec<_>>().join("\n"))]
pub struct SettingsError {
    /// The file.
    pub file: String,
    /// The faults in the order of the file, at least one.
    pub faults: Vec<SettingsFault>,
}

impl SettingsError {
    pub(super) fn whole(file: &str, message: impl Into<String>) -> Self {
        Self { file: file.to_owned(), faults: vec![SettingsFault { place: None, message: message.into() }] }
    }
}

/// One thing that is wrong with a settings file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingsFault {
    /// The line and the column, in characters, both counted from 1.
    pub place: Option<(usize, usize)>,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for SettingsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, ":{line}:{column}: {}", self.message),
            None => write!(f, ": {}", self.message),
        }
    }
}

/// Something in a narrower settings file that was ignored, because it would have allowed more than a wider one does.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SettingsWarning {
    /// The narrower file.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// What was ignored.
    pub message: String,
}

impl fmt::Display for SettingsWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}
