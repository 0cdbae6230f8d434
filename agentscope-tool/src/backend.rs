//! Where tools act: the environment whose files they read and write and whose programs they run.
//!
//! A [`Backend`] is this machine, a container, a sandbox elsewhere. The one for this machine is `LocalBackend` in the
//! crate `agentscope-tool-backends`; for tests of tools there is [`MemoryBackend`](crate::testing::MemoryBackend).
//!
//! To write one for another environment, [`exec`](Backend::exec) and [`write`](Backend::write) are enough: all else has
//! an implementation that runs the environment's own `sh`, `stat` and the like. What the environment can do better is
//! overridden.

mod captured;
mod change;
mod command;
mod error;
mod execution;
mod file;
pub mod host;
pub mod path;
mod posix;

use std::fmt;
use std::path::Path;

use async_trait::async_trait;

pub use bytes::Bytes;
pub use captured::Captured;
pub(crate) use change::nameless;
pub use change::{Expect, Removal, WriteOptions, Written};
pub use command::{Command, OutputLimits};
pub use error::{BackendError, BackendErrorKind, Operation};
pub use execution::{ExecEvent, ExecOutput, ExecStatus, Execution};
pub use file::{ByteRange, DirEntry, FileContent, FileId, FileKind, FileStream, FileTime, Stat};

/// An environment in which tools act: this machine, a container, a sandbox elsewhere.
///
/// Paths are text in the environment's own style, separated by `/`; a relative one starts at the environment's
/// [current directory](Self::cwd). All operations may be cancelled by dropping their future: a file is then either as
/// it was or as it was to become, and a program is ended.
///
/// ```
/// use agentscope_tool::backend::{Backend, BackendErrorKind, WriteOptions};
/// use agentscope_tool::testing::MemoryBackend;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let backend = MemoryBackend::new();
/// backend.write("/srv/notes.txt", "buy milk\n".into(), WriteOptions::new()).await?;
///
/// let content = backend.read("/srv/notes.txt", 1024 * 1024).await?;
/// assert_eq!(content.bytes, "buy milk\n");
///
/// // Another program writes to the file; this one would overwrite its work, and does not.
/// backend.write("/srv/notes.txt", "buy bread\n".into(), WriteOptions::new()).await?;
/// let options = WriteOptions::new().unchanged_since(content.stat);
/// let error = backend.write("/srv/notes.txt", "buy milk, eggs\n".into(), options).await.unwrap_err();
/// assert_eq!(error.kind(), BackendErrorKind::Changed);
/// # Ok(()) }
/// ```
#[async_trait]
pub trait Backend: fmt::Debug + Send + Sync + 'static {
    /// Starts a program. Its output is streamed; see [`Execution`].
    ///
    /// The program gets no input and no terminal. When the command's time is over, or the execution is dropped, the
    /// program and all that it started are ended: asked first, forced soon after.
    ///
    /// # Errors
    /// When the program cannot be started: [`NotFound`](BackendErrorKind::NotFound) when there is no such program or
    /// no such directory to run it in (the error's path says which), [`PermissionDenied`](BackendErrorKind) when it may
    /// not be run. What the program does afterwards is never an error here.
    async fn exec(&self, command: Command) -> Result<Execution, BackendError>;

    /// Writes a file, all or nothing: whoever reads it, and whatever goes wrong, the file is the old or the new one.
    ///
    /// Symbolic links are followed to where they lead, also where nothing is yet. A file that is there keeps its mode,
    /// and its owner where that is permitted. One that may not be written to stays. The file that takes its place is a
    /// new one for the system: other names (hard links) of the old one keep the old content, and
    /// [`Written::separated_links`] says how many there are.
    ///
    /// # Errors
    /// When the file cannot be written; then nothing has changed.
    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError>;

    /// Opens a file and reads it piece by piece, wholly or from one byte to another.
    ///
    /// # Errors
    /// When there is no such file, it may not be read, or is not a regular file. What goes wrong later is an item of
    /// the stream.
    async fn read_stream(&self, path: &str, range: ByteRange) -> Result<FileStream, BackendError> {
        posix::read_stream(self, path, range).await
    }

    /// Reads a whole file of at most `limit` bytes.
    ///
    /// # Errors
    /// [`TooLarge`](BackendErrorKind::TooLarge) when it has more, and as for [`read_stream`](Self::read_stream).
    async fn read(&self, path: &str, limit: u64) -> Result<FileContent, BackendError> {
        let stream = self.read_stream(path, ByteRange::ALL).await?;
        if stream.stat().size > limit {
            return Err(FileStream::too_large(path, limit));
        }
        stream.collect(limit).await
    }

    /// What is at the path; links are followed.
    ///
    /// # Errors
    /// When there is nothing, or it may not be looked at.
    async fn stat(&self, path: &str) -> Result<Stat, BackendError> {
        posix::stat(self, path, true).await
    }

    /// What is at the path; when it is a link, the link itself.
    ///
    /// # Errors
    /// As for [`stat`](Self::stat).
    async fn stat_link(&self, path: &str) -> Result<Stat, BackendError> {
        posix::stat(self, path, false).await
    }

    /// Whether there is something at the path, behind its links.
    ///
    /// # Errors
    /// When that cannot be said, for example because a directory on the way may not be searched.
    async fn exists(&self, path: &str) -> Result<bool, BackendError> {
        match self.stat(path).await {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), BackendErrorKind::NotFound | BackendErrorKind::NotADirectory) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// The names in a directory without `.` and `..`, sorted by their bytes.
    ///
    /// # Errors
    /// When there is no such directory, or it may not be read.
    async fn list(&self, path: &str) -> Result<Vec<DirEntry>, BackendError> {
        posix::list(self, path).await
    }

    /// Removes a file, or a directory with all that is in it. Links are removed, never followed.
    ///
    /// # Errors
    /// [`NotFound`](BackendErrorKind::NotFound) when there is nothing, [`IsADirectory`](BackendErrorKind::IsADirectory)
    /// for a directory without [`Removal::Tree`], [`InvalidInput`](BackendErrorKind::InvalidInput) for a path that ends in
    /// no name, as `/` and `..`, or when it may not be removed. A tree may then be removed in part.
    async fn remove(&self, path: &str, what: Removal) -> Result<(), BackendError> {
        posix::remove(self, path, what).await
    }

    /// The path as the environment's kernel would follow it: absolute, without `.`, `..` and symbolic links. A relative
    /// path starts at the current directory. What does not exist yet is kept as it is written behind what does, and a
    /// link that leads nowhere is followed to where it would lead.
    ///
    /// # Errors
    /// When the environment cannot say, for example because links go in circles or the result is not UTF-8.
    async fn canonicalize(&self, path: &str) -> Result<String, BackendError> {
        let paths = [path.to_owned()];
        match self.canonicalize_all(&paths).await.pop() {
            Some(result) => result,
            None => Err(BackendError::other(Operation::Canonicalize, path, "the environment gave no answer")),
        }
    }

    /// The same for many paths at once, each with its own result, in order.
    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        posix::canonicalize_all(self, paths).await
    }

    /// The home directory, as an absolute path.
    ///
    /// # Errors
    /// When there is none.
    async fn home(&self) -> Result<String, BackendError> {
        posix::home(self).await
    }

    /// The current directory, as an absolute path.
    ///
    /// # Errors
    /// When there is none any more.
    async fn cwd(&self) -> Result<String, BackendError> {
        posix::cwd(self).await
    }

    /// The path with the home directory in place of a `~` that stands alone or before a `/`.
    ///
    /// # Errors
    /// When there is no home directory and the path needs one.
    async fn expand_home(&self, path: &str) -> Result<String, BackendError> {
        match path.strip_prefix('~') {
            Some("") => self.home().await,
            Some(rest) if rest.starts_with('/') => {
                let home = self.home().await?;
                Ok(format!("{}{rest}", home.trim_end_matches('/')))
            }
            _ => Ok(path.into()),
        }
    }

    /// Whether the path does not depend on the current directory.
    fn is_absolute(&self, path: &str) -> bool {
        path::is_absolute(path)
    }

    /// The path as seen from the directory `base`; an absolute one stays as it is.
    fn join(&self, base: &str, path: &str) -> String {
        path::join(base, path)
    }

    /// The path without its last name; see [`path::parent`].
    fn parent<'a>(&self, path: &'a str) -> Option<&'a str> {
        path::parent(path)
    }

    /// The last name of the path; see [`path::file_name`].
    fn file_name<'a>(&self, path: &'a str) -> Option<&'a str> {
        path::file_name(path)
    }

    /// Where the environment's files are for this process itself, if they are simply this machine's: a path of the
    /// environment joined to it is the same file for [`std::fs`]. Searching many files is then faster in process.
    fn local_root(&self) -> Option<&Path> {
        None
    }
}
