//! Why an environment could not do what it was asked to do.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::io;

type Source = Box<dyn StdError + Send + Sync>;

/// Why an operation of a [`Backend`](super::Backend) failed: the operation, the path it was for, and the reason.
///
/// What a program tells apart is the [`kind`](Self::kind); what is shown is one sentence.
///
/// ```
/// use agentscope_tool::backend::{BackendError, BackendErrorKind, Operation};
///
/// let error = BackendError::new(Operation::Read, "notes.txt", BackendErrorKind::NotFound);
/// assert_eq!(error.to_string(), "cannot read `notes.txt`: there is no such file or directory");
/// assert_eq!(error.kind(), BackendErrorKind::NotFound);
/// ```
#[derive(Debug)]
pub struct BackendError {
    operation: Operation,
    path: String,
    kind: BackendErrorKind,
    reason: Option<Cow<'static, str>>,
    source: Option<Source>,
}

impl BackendError {
    /// An error of that kind, in the kind's own words.
    #[must_use]
    pub fn new(operation: Operation, path: impl Into<String>, kind: BackendErrorKind) -> Self {
        Self { operation, path: path.into(), kind, reason: None, source: None }
    }

    /// The error of a system call or of a connection; its kind is read off the code.
    #[must_use]
    pub fn io(operation: Operation, path: impl Into<String>, source: io::Error) -> Self {
        let kind = BackendErrorKind::of(&source);
        // The text that belongs to a code of the system says nothing more than the kind does.
        let own_words = kind == BackendErrorKind::Other || source.get_ref().is_some();
        let reason = own_words.then(|| source.to_string().into());
        Self { operation, path: path.into(), kind, reason, source: Some(source.into()) }
    }

    /// An error that none of the kinds describes.
    #[must_use]
    pub fn other(operation: Operation, path: impl Into<String>, source: impl Into<Source>) -> Self {
        let source = source.into();
        let reason = Some(source.to_string().into());
        Self { operation, path: path.into(), kind: BackendErrorKind::Other, reason, source: Some(source) }
    }

    /// Says the reason in other words: what is wrong, and what to do instead.
    #[must_use]
    pub fn because(mut self, reason: impl Into<Cow<'static, str>>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> BackendErrorKind {
        self.kind
    }

    /// What was to be done.
    #[must_use]
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The path that it was to be done with, or the program that was to run; empty where there is none.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The reason alone, without the operation and the path.
    #[must_use]
    pub fn reason(&self) -> Cow<'_, str> {
        match &self.reason {
            Some(reason) => Cow::Borrowed(reason),
            None => Cow::Borrowed(self.kind.as_str()),
        }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}", self.operation)?;
        if !self.path.is_empty() {
            write!(f, " `{}`", self.path)?;
        }
        write!(f, ": {}", self.reason())
    }
}

impl StdError for BackendError {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_ref().map(|source| &**source as _)
    }
}

/// The kinds of failure that a program may want to tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BackendErrorKind {
    /// There is nothing at that path, or no program of that name.
    NotFound,
    /// The user as whom the environment works may not do this.
    PermissionDenied,
    /// A part of the path that should be a directory is none.
    NotADirectory,
    /// A file was wanted, and there is a directory.
    IsADirectory,
    /// A file was wanted, and there is a pipe, a socket or a device.
    NotAFile,
    /// A new file was to be made, and there is one already.
    AlreadyExists,
    /// The file is no longer the one that it was expected to be.
    Changed,
    /// The file system can only be read.
    ReadOnlyFilesystem,
    /// The file system or the user's quota is full.
    NoSpace,
    /// The content is larger than the limit that was given, or than the system allows.
    TooLarge,
    /// The file is in use, for example as a mount point.
    Busy,
    /// The environment did not answer in time.
    TimedOut,
    /// The environment cannot do this at all.
    Unsupported,
    /// The operation was stopped before it was complete.
    Interrupted,
    /// What was given cannot be a path, a program or an argument.
    InvalidInput,
    /// Anything else; the error's source says more.
    Other,
}

impl BackendErrorKind {
    fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::PermissionDenied,
            io::ErrorKind::NotADirectory => Self::NotADirectory,
            io::ErrorKind::IsADirectory => Self::IsADirectory,
            io::ErrorKind::AlreadyExists => Self::AlreadyExists,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnlyFilesystem,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace,
            io::ErrorKind::FileTooLarge | io::ErrorKind::ArgumentListTooLong => Self::TooLarge,
            io::ErrorKind::ResourceBusy | io::ErrorKind::ExecutableFileBusy => Self::Busy,
            io::ErrorKind::TimedOut => Self::TimedOut,
            io::ErrorKind::Unsupported => Self::Unsupported,
            io::ErrorKind::Interrupted => Self::Interrupted,
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => Self::InvalidInput,
            _ => Self::Other,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "there is no such file or directory",
            Self::PermissionDenied => "permission denied",
            Self::NotADirectory => "a part of the path is a file, not a directory",
            Self::IsADirectory => "it is a directory, not a file",
            Self::NotAFile => "it is a pipe, a socket or a device, not a regular file",
            Self::AlreadyExists => "it exists already",
            Self::Changed => "it has changed since it was last looked at; look at it again first",
            Self::ReadOnlyFilesystem => "the file system is read-only",
            Self::NoSpace => "no space is left, or the quota is used up",
            Self::TooLarge => "it is larger than allowed",
            Self::Busy => "it is in use",
            Self::TimedOut => "the environment did not answer in time",
            Self::Unsupported => "the environment does not support this",
            Self::Interrupted => "it was interrupted before it was complete",
            Self::InvalidInput => "the name is not valid: it is empty, too long or holds a NUL character",
            Self::Other => "the environment gave no reason",
        }
    }
}

impl fmt::Display for BackendErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a [`Backend`](super::Backend) was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Run a program.
    Execute,
    /// Read a file.
    Read,
    /// Write a file.
    Write,
    /// Ask for the kind, size and times of a file.
    Stat,
    /// List a directory.
    List,
    /// Remove a file or a directory.
    Remove,
    /// Follow the links of a path.
    Canonicalize,
    /// Find the home directory.
    Home,
    /// Find the current directory.
    CurrentDirectory,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Execute => "run",
            Self::Read => "read",
            Self::Write => "write",
            Self::Stat => "look at",
            Self::List => "list",
            Self::Remove => "remove",
            Self::Canonicalize => "resolve",
            Self::Home => "find the home directory",
            Self::CurrentDirectory => "find the current directory",
        })
    }
}
