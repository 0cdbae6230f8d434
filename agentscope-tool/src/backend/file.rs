//! What an environment says of its files, and how they are read and written.

use std::fmt;
use std::ops::{Range, RangeFrom, RangeFull};
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Bytes, BytesMut};
use futures_util::stream::{Stream, StreamExt};
use serde::{Deserialize, Serialize};

use super::error::{BackendError, BackendErrorKind, Operation};

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A socket.
    Socket,
    /// A device that is read in blocks, for example a disk.
    BlockDevice,
    /// A device that is read character by character, for example a terminal.
    CharDevice,
    /// Something that the environment has no word for.
    Unknown,
}

impl FileKind {
    /// The error of an operation that wants a regular file and finds this.
    #[must_use]
    pub fn not_a_file(self, operation: Operation, path: &str) -> BackendError {
        match self {
            Self::Directory => BackendError::new(operation, path, BackendErrorKind::IsADirectory),
            kind => BackendError::new(operation, path, BackendErrorKind::NotAFile)
                .because(format!("it is {kind}, not a regular file")),
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "a regular file",
            Self::Directory => "a directory",
            Self::Symlink => "a symbolic link",
            Self::Fifo => "a named pipe",
            Self::Socket => "a socket",
            Self::BlockDevice => "a block device",
            Self::CharDevice => "a character device",
            Self::Unknown => "something of unknown kind",
        })
    }
}

/// A point in time as file systems keep it: nanoseconds since the start of 1970 (UTC).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileTime {
    /// Whole seconds; negative before 1970.
    pub seconds: i64,
    /// Nanoseconds on top of them, fewer than 1,000,000,000.
    pub nanos: u32,
}

impl FileTime {
    /// That many seconds and nanoseconds after the start of 1970.
    #[must_use]
    pub const fn new(seconds: i64, nanos: u32) -> Self {
        Self { seconds, nanos }
    }

    /// As nanoseconds since the start of 1970.
    #[must_use]
    pub const fn as_nanos(self) -> i128 {
        self.seconds as i128 * 1_000_000_000 + self.nanos as i128
    }
}

/// What tells a file from all others of its environment, whatever its names are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId {
    /// The file system.
    pub device: u64,
    /// The file in it.
    pub inode: u64,
}

/// What is known of a file without reading it. Two that are equal are of the same file, with nothing written to it in
/// between, as far as the file system's clock can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stat {
    /// What it is.
    pub kind: FileKind,
    /// Its size in bytes.
    pub size: u64,
    /// When its content changed; programs may set it at will.
    pub mtime: FileTime,
    /// When its content or anything else of it changed; set by the system alone.
    pub ctime: FileTime,
    /// The permission bits, as in `0o644`, with the set-user-id, set-group-id and sticky bits.
    pub mode: u32,
    /// Which file it is.
    pub id: FileId,
    /// How many names (hard links) it has.
    pub links: u64,
}

impl Stat {
    /// Whether it is a regular file.
    #[must_use]
    pub fn is_file(&self) -> bool {
        self.kind == FileKind::File
    }

    /// Whether it is a directory.
    #[must_use]
    pub fn is_dir(&self) -> bool {
        self.kind == FileKind::Directory
    }
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DirEntry {
    /// The name. What is not UTF-8 in it is replaced by `U+FFFD`; then the file cannot be reached by this name.
    pub name: String,
    /// The name's bytes, if it is not UTF-8.
    pub raw_name: Option<Vec<u8>>,
    /// What it is; links are not followed.
    pub kind: FileKind,
}

impl DirEntry {
    /// An entry from the bytes of its name.
    #[must_use]
    pub fn new(name: Vec<u8>, kind: FileKind) -> Self {
        match String::from_utf8(name) {
            Ok(name) => Self { name, raw_name: None, kind },
            Err(error) => {
                let raw = error.into_bytes();
                Self { name: String::from_utf8_lossy(&raw).into_owned(), raw_name: Some(raw), kind }
            }
        }
    }

    /// Whether [`name`](Self::name) is the true name.
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        self.raw_name.is_none()
    }

    /// The bytes of the true name.
    #[must_use]
    pub fn name_bytes(&self) -> &[u8] {
        self.raw_name.as_deref().unwrap_or(self.name.as_bytes())
    }
}

/// Which bytes of a file to read.
///
/// ```
/// use agentscope_tool::backend::ByteRange;
///
/// assert_eq!(ByteRange::from(10..15), ByteRange { start: 10, len: Some(5) });
/// assert_eq!(ByteRange::from(10..), ByteRange { start: 10, len: None });
/// assert_eq!(ByteRange::from(..), ByteRange::ALL);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByteRange {
    /// How many bytes to skip. A start behind the end gives nothing.
    pub start: u64,
    /// How many bytes to read at most; `None` for all that follow.
    pub len: Option<u64>,
}

impl ByteRange {
    /// The whole file.
    pub const ALL: Self = Self { start: 0, len: None };
}

impl From<Range<u64>> for ByteRange {
    fn from(range: Range<u64>) -> Self {
        Self { start: range.start, len: Some(range.end.saturating_sub(range.start)) }
    }
}

impl From<RangeFrom<u64>> for ByteRange {
    fn from(range: RangeFrom<u64>) -> Self {
        Self { start: range.start, len: None }
    }
}

impl From<RangeFull> for ByteRange {
    fn from(_: RangeFull) -> Self {
        Self::ALL
    }
}

/// A file that was read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileContent {
    /// What was known of the file right before it was read: a change while it was read shows as a later change.
    pub stat: Stat,
    /// What it holds.
    pub bytes: Bytes,
}

impl FileContent {
    /// A file's content.
    #[must_use]
    pub fn new(stat: Stat, bytes: Bytes) -> Self {
        Self { stat, bytes }
    }
}

type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes, BackendError>> + Send>>;

/// A file that is read piece by piece. Pieces may end anywhere, also in the middle of a character.
#[must_use = "a stream reads nothing until it is polled"]
pub struct FileStream {
    stat: Stat,
    path: String,
    chunks: Chunks,
}

impl FileStream {
    /// A stream from its pieces; `stat` is what was known of the file when it was opened.
    pub fn new(
        path: impl Into<String>,
        stat: Stat,
        chunks: impl Stream<Item = Result<Bytes, BackendError>> + Send + 'static,
    ) -> Self {
        Self { stat, path: path.into(), chunks: Box::pin(chunks) }
    }

    /// What was known of the file when it was opened.
    #[must_use]
    pub fn stat(&self) -> &Stat {
        &self.stat
    }

    /// Reads all pieces into one.
    ///
    /// # Errors
    /// [`TooLarge`](BackendErrorKind::TooLarge) as soon as there are more than `limit` bytes, or when reading fails.
    pub async fn collect(mut self, limit: u64) -> Result<FileContent, BackendError> {
        let Some(first) = self.next().await.transpose()? else {
            return Ok(FileContent::new(self.stat, Bytes::new()));
        };
        let mut size = first.len() as u64;
        let mut whole = BytesMut::from(first);
        loop {
            if size > limit {
                return Err(Self::too_large(&self.path, limit));
            }
            let Some(chunk) = self.next().await.transpose()? else { break };
            size += chunk.len() as u64;
            whole.extend_from_slice(&chunk);
        }
        Ok(FileContent::new(self.stat, whole.freeze()))
    }

    /// The error of a file that does not fit into a limit of that many bytes.
    #[must_use]
    pub fn too_large(path: &str, limit: u64) -> BackendError {
        BackendError::new(Operation::Read, path, BackendErrorKind::TooLarge)
            .because(format!("it is larger than the limit of {limit} bytes; read a part of it instead"))
    }
}

impl Stream for FileStream {
    type Item = Result<Bytes, BackendError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.chunks.as_mut().poll_next(cx)
    }
}

impl fmt::Debug for FileStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStream").field("path", &self.path).field("stat", &self.stat).finish_non_exhaustive()
    }
}

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
