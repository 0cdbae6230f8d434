//! Reading files.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use agentscope_tool::backend::{BackendError, ByteRange, Bytes, FileContent, FileStream, Operation, Stat};
use futures_util::stream;
use rustix::fs::{Mode, OFlags};

use super::{blocking, file};

/// The first piece is small, so that the start of a file is there at once; later ones are larger, so that the way to
/// another thread and back is a small part of the time.
const FIRST_PIECE: u64 = 64 * 1024;
const LARGEST_PIECE: u64 = 1024 * 1024;

pub(super) fn whole(shown: &str, path: &Path, limit: u64) -> Result<FileContent, BackendError> {
    let (file, stat) = open(shown, path)?;
    if stat.size > limit {
        return Err(FileStream::too_large(shown, limit));
    }
    // One byte more than there should be, so that the end is seen without making room first.
    let expected = usize::try_from(stat.size.saturating_add(1)).unwrap_or_default();
    let failed = |error| BackendError::io(Operation::Read, shown, error);
    let mut content = Vec::new();
    content.try_reserve_exact(expected).map_err(|error| failed(io::Error::new(io::ErrorKind::OutOfMemory, error)))?;
    file.take(limit.saturating_add(1)).read_to_end(&mut content).map_err(failed)?;
    if content.len() as u64 > limit {
        return Err(FileStream::too_large(shown, limit));
    }
    Ok(FileContent::new(stat, content.into()))
}

pub(super) async fn stream(shown: String, path: PathBuf, range: ByteRange) -> Result<FileStream, BackendError> {
    let name = shown.clone();
    let open = move || {
        let (mut file, stat) = open(&name, &path)?;
        let left = match file.seek(SeekFrom::Start(range.start)) {
            Ok(_) => range.len.unwrap_or(u64::MAX),
            // Behind where a file could ever have an end.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => 0,
            Err(error) => return Err(BackendError::io(Operation::Read, &name, error)),
        };
        Ok((file, stat, left))
    };
    let (file, stat, left) = blocking(Operation::Read, &shown, open).await?;
    let piece = Pieces { shown: shown.clone(), file, size: FIRST_PIECE, left };
    Ok(FileStream::new(shown, stat, stream::unfold(Some(piece), Pieces::next)))
}

/// What is still to be read of a file.
struct Pieces {
    shown: String,
    file: File,
    size: u64,
    left: u64,
}

impl Pieces {
    async fn next(pieces: Option<Self>) -> Option<(Result<Bytes, BackendError>, Option<Self>)> {
        let mut pieces = pieces.filter(|pieces| pieces.left > 0)?;
        let shown = pieces.shown.clone();
        let read = blocking(Operation::Read, &shown, move || {
            let size = pieces.size.min(pieces.left);
            let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
            let read = (&mut pieces.file).take(size).read_to_end(&mut bytes);
            read.map_err(|error| BackendError::io(Operation::Read, &pieces.shown, error))?;
            pieces.left = if (bytes.len() as u64) < size { 0 } else { pieces.left - size };
            pieces.size = (pieces.size * 2).min(LARGEST_PIECE);
            Ok((bytes, pieces))
        });
        match read.await {
            Ok((bytes, _)) if bytes.is_empty() => None,
            Ok((bytes, pieces)) => Some((Ok(bytes.into()), Some(pieces))),
            Err(error) => Some((Err(error), None)),
        }
    }
}

/// Opens a regular file, and nothing else: opening a pipe waits for a writer, opening a device may do anything.
fn open(shown: &str, path: &Path) -> Result<(File, Stat), BackendError> {
    let failed = |error: io::Error| BackendError::io(Operation::Read, shown, error);
    let regular = |stat: Stat| {
        if stat.is_file() { Ok(stat) } else { Err(stat.kind.not_a_file(Operation::Read, shown)) }
    };
    regular(file::stat(path).map_err(failed)?)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|error| failed(error.into()))?;
    // It may have become something else in between.
    let stat = regular(file::stat_open(&file).map_err(failed)?)?;
    Ok((File::from(file), stat))
}
