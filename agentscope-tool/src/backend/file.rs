//! What an environment says of its files, and how they are read.

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
