//! How files are written and removed.

use super::error::{BackendError, BackendErrorKind, Operation};
use super::file::Stat;

/// How a file is written. By default: whatever is there is replaced, parents are made, the content is on the disk
/// when the call returns.
///
/// ```
/// use agentscope_tool::backend::WriteOptions;
///
/// let script = WriteOptions::new().create_new().mode(0o755);
/// assert_eq!(script.new_file_mode(), Some(0o755));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct WriteOptions {
    mode: Option<u32>,
    parents: bool,
    durable: bool,
    expect: Expect,
}

/// What has to be there for a write to happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expect {
    /// Nothing, or any file.
    #[default]
    Anything,
    /// Nothing.
    Nothing,
    /// That file, unchanged.
    Unchanged(Stat),
}

impl WriteOptions {
    /// The default.
    pub fn new() -> Self {
        Self { mode: None, parents: true, durable: true, expect: Expect::Anything }
    }

    /// The permission bits of a file that is new, before the environment's umask takes some away; 0o666 without this.
    /// A file that is there keeps its own.
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = Some(mode & 0o7777);
        self
    }

    /// Whether missing parent directories are made.
    pub fn parents(mut self, parents: bool) -> Self {
        self.parents = parents;
        self
    }

    /// Whether the content has to be on the disk when the call returns. Without, a power cut soon after may leave the
    /// old file, or on some file systems an empty one.
    pub fn durable(mut self, durable: bool) -> Self {
        self.durable = durable;
        self
    }

    /// Fails with [`AlreadyExists`](BackendErrorKind::AlreadyExists) when there is something at the path already.
    pub fn create_new(mut self) -> Self {
        self.expect = Expect::Nothing;
        self
    }

    /// Fails with [`Changed`](BackendErrorKind::Changed) when the file is not the one of that [`Stat`] any more, or
    /// something was done to it since: nobody's work is overwritten.
    pub fn unchanged_since(mut self, stat: Stat) -> Self {
        self.expect = Expect::Unchanged(stat);
        self
    }

    /// The permission bits for a new file, if some were given.
    #[must_use]
    pub fn new_file_mode(&self) -> Option<u32> {
        self.mode
    }

    /// Whether missing parent directories are made.
    #[must_use]
    pub fn makes_parents(&self) -> bool {
        self.parents
    }

    /// Whether the content has to be on the disk when the call returns.
    #[must_use]
    pub fn is_durable(&self) -> bool {
        self.durable
    }

    /// What has to be at the path.
    #[must_use]
    pub fn expectation(&self) -> Expect {
        self.expect
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// What a write did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Written {
    /// What is known of the file now.
    pub stat: Stat,
    /// Whether the file is new.
    pub created: bool,
    /// How many other names (hard links) the file had; they still lead to the old content.
    pub separated_links: u64,
}

impl Written {
    /// What a write did.
    #[must_use]
    pub fn new(stat: Stat, created: bool, separated_links: u64) -> Self {
        Self { stat, created, separated_links }
    }
}

/// The error of removing something that is not called by its name, so that no slip takes the root along.
pub(crate) fn nameless(path: &str) -> BackendError {
    BackendError::new(Operation::Remove, path, BackendErrorKind::InvalidInput)
        .because("it names no file; write the path without `.` and `..` at its end")
}

/// What may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Removal {
    /// Anything but a directory.
    File,
    /// A directory with all that is in it as well.
    Tree,
}
