//! Writing a file so that it is the old one or the new one, whatever happens.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use agentscope_tool::backend::{BackendError, BackendErrorKind, Expect, Operation, Stat, WriteOptions, Written};
use rustix::fs::{Access, AtFlags, Gid, Mode, OFlags, Uid};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use super::file::{self, Owner};
use super::temporary::Temporary;
use super::xattr;

/// Writes to `target`, a path without links; `shown` is what the caller calls it.
pub(super) fn write(
    shown: &str,
    target: &Path,
    content: &[u8],
    options: &WriteOptions,
) -> Result<Written, BackendError> {
    let failed = |error: io::Error| BackendError::io(Operation::Write, shown, error);
    let error = |kind| BackendError::new(Operation::Write, shown, kind);
    let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
        return Err(error(BackendErrorKind::IsADirectory));
    };
    let parents = Parents::make(parent, options.makes_parents()).map_err(|failure| {
        let reason = format!("the directory `{}` cannot be made: {failure}", parent.display());
        match failure.kind() {
            io::ErrorKind::NotFound => error(BackendErrorKind::NotFound).because("its directory is not there"),
            io::ErrorKind::NotADirectory => error(BackendErrorKind::NotADirectory),
            _ => failed(failure).because(reason),
        }
    })?;
    let directory = open_directory(parent).map_err(failed)?;

    let before = file::stat_in(&directory, name.as_ref()).map_err(failed)?;
    let stat_before = before.map(|(stat, _)| stat);
    expect(shown, options.expectation(), stat_before)?;
    match stat_before {
        Some(stat) if !stat.is_file() => return Err(stat.kind.not_a_file(Operation::Write, shown)),
        None if shown.ends_with('/') => {
            return Err(error(BackendErrorKind::IsADirectory)
                .because("its name ends with a slash, as that of a directory; leave it out for a file"));
        }
        _ => {}
    }
    if before.is_some() {
        // Replacing a file takes a right to its directory only; its own mode has to be obeyed by choice.
        rustix::fs::accessat(&directory, name, Access::WRITE_OK, AtFlags::EACCESS)
            .map_err(|error| failed(error.into()))?;
    }
    // To write more would end this process by a signal.
    if let Some(limit) = getrlimit(Resource::Fsize).current.filter(|limit| content.len() as u64 > *limit) {
        return Err(error(BackendErrorKind::TooLarge)
            .because(format!("it would have {} bytes, and this process may write {limit}", content.len())));
    }

    let mode = match before {
        Some(_) => 0o600,
        None => options.new_file_mode().unwrap_or(0o666),
    };
    let mut temporary =
        Temporary::create(directory.as_fd(), name, Mode::from_raw_mode(mode as _)).map_err(|error| {
            let denied = error.kind() == io::ErrorKind::PermissionDenied;
            let error = failed(error);
            if denied { error.because("permission denied: its directory may not be written to") } else { error }
        })?;
    let mut file = temporary.file();
    file.write_all(content).map_err(failed)?;
    if let Some((stat, owner)) = before {
        keep_attributes(&directory, name, file, &stat, owner).map_err(failed)?;
    }
    if options.is_durable() {
        file.sync_all().map_err(failed)?;
    }

    if options.expectation() == Expect::Nothing {
        temporary.place(name).map_err(failed)?;
    } else {
        // Between this look and the renaming lie microseconds; the system offers no way to do both in one.
        let now = file::stat_in(&directory, name.as_ref()).map_err(failed)?.map(|(stat, _)| stat);
        if let Some(stat) = now.filter(|stat| !stat.is_file()) {
            return Err(stat.kind.not_a_file(Operation::Write, shown));
        }
        expect(shown, options.expectation(), now)?;
        temporary.replace(name).map_err(failed)?;
    }
    parents.keep(options.is_durable());
    if options.is_durable() {
        sync_directory(&directory).map_err(failed)?;
    }
    let stat = file::stat_open(temporary.file()).map_err(failed)?;
    Ok(Written::new(stat, before.is_none(), stat_before.map_or(0, |stat| stat.links.saturating_sub(1))))
}

fn expect(shown: &str, expected: Expect, found: Option<Stat>) -> Result<(), BackendError> {
    let kind = match (expected, found) {
        (Expect::Nothing, Some(_)) => BackendErrorKind::AlreadyExists,
        (Expect::Unchanged(expected), found) if found != Some(expected) => BackendErrorKind::Changed,
        _ => return Ok(()),
    };
    Err(BackendError::new(Operation::Write, shown, kind))
}

/// Gives the new file what the old one had, as far as the system lets.
fn keep_attributes(directory: &OwnedFd, name: &OsStr, new: &File, old: &Stat, owner: Owner) -> io::Result<()> {
    let mut now = Owner::of(new)?;
    if now != owner {
        let (user, group) = (Uid::from_raw(owner.user), Gid::from_raw(owner.group));
        if rustix::fs::fchown(new, Some(user), Some(group)).is_err() {
            let _ = rustix::fs::fchown(new, None, Some(group));
        }
        now = Owner::of(new)?;
    }
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    if let Ok(old) = rustix::fs::openat(directory, name, flags, Mode::empty()) {
        xattr::copy(&old, new);
    }
    let mut mode = old.mode;
    if now.user != owner.user {
        mode &= !0o4000;
    }
    if now.group != owner.group {
        // Another group than before gets no more than everybody.
        mode = mode & !0o2070 | mode & (mode & 0o007) << 3;
    }
    Ok(rustix::fs::fchmod(new, Mode::from_raw_mode(mode as _))?)
}

/// The directory as a place to work in, whatever happens to its name meanwhile.
fn open_directory(path: &Path) -> io::Result<OwnedFd> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let access = OFlags::PATH;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let access = OFlags::RDONLY;
    Ok(rustix::fs::open(path, access | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Brings the names in a directory to the disk.
fn sync_directory(directory: &OwnedFd) -> io::Result<()> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let synced = rustix::fs::openat(directory, ".", flags, Mode::empty()).and_then(rustix::fs::fsync);
    match synced {
        // A directory that may not be read cannot be synced, nor can those of some file systems.
        Ok(()) | Err(Errno::ACCESS | Errno::INVAL | Errno::NOTSUP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// The directories that were made for a file, which go again if it is not written after all.
struct Parents {
    made: Vec<PathBuf>,
}

impl Parents {
    fn make(directory: &Path, allowed: bool) -> io::Result<Self> {
        let mut missing = Vec::new();
        for directory in directory.ancestors() {
            match fs::symlink_metadata(directory) {
                Ok(found) if found.is_dir() => break,
                Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound && allowed => missing.push(directory),
                Err(error) => return Err(error),
            }
        }
        let mut parents = Self { made: Vec::new() };
        for directory in missing.into_iter().rev() {
            match fs::create_dir(directory) {
                Ok(()) => parents.made.push(directory.into()),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Ok(parents)
    }

    fn keep(mut self, durable: bool) {
        for made in std::mem::take(&mut self.made) {
            if durable && let Some(directory) = made.parent().and_then(|parent| open_directory(parent).ok()) {
                // The file is where it should be; a power cut is the only one who could tell.
                let _ = sync_directory(&directory);
            }
        }
    }
}

impl Drop for Parents {
    fn drop(&mut self) {
        for made in self.made.iter().rev() {
            // One in which somebody else has put something meanwhile stays.
            let _ = fs::remove_dir(made);
        }
    }
}
