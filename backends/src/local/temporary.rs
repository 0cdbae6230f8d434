//! The temporary file beside a target: made, renamed, and cleared away after a writer that died.
//!
//! There is a small number of names for each target, so that the next writer knows where to look for leftovers without
//! reading the directory. Whoever writes holds a lock on its file; a file whose lock is free has no writer any more. No
//! file that was there before is ever written to: in a directory for all, it could be somebody's trap.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;

use rustix::fs::{AtFlags, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use super::file;

/// How many may write to one target at the same time.
const NAMES: usize = 64;
/// Longer names of targets are cut, so that with what is added they are no longer than a name may be.
const LONGEST: usize = 200;

/// A new file, which is removed again unless it takes the target's place.
pub(super) struct Temporary<'a> {
    directory: BorrowedFd<'a>,
    name: OsString,
    file: File,
    placed: bool,
}

impl<'a> Temporary<'a> {
    /// A new file for that target, after what dead writers left behind was removed.
    pub(super) fn create(directory: BorrowedFd<'a>, target: &OsStr, mode: Mode) -> io::Result<Self> {
        let mut created = None;
        for name in (0..NAMES).map(|number| name(target, number)) {
            if created.is_none() {
                created = new_file(directory, &name, mode)?.map(|file| (name, File::from(file)));
            } else {
                reclaim(directory, &name);
            }
        }
        match created {
            Some((name, file)) => Ok(Self { directory, name, file, placed: false }),
            None => Err(io::Error::other(format!("{NAMES} others write to it at the same time; try again"))),
        }
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Takes the place of the target.
    pub(super) fn replace(&mut self, target: &OsStr) -> io::Result<()> {
        rustix::fs::renameat(self.directory, &self.name, self.directory, target)?;
        self.placed = true;
        Ok(())
    }

    /// Takes the place of the target, if nothing is there.
    pub(super) fn place(&mut self, target: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
        {
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(self.directory, &self.name, self.directory, target, flags) {
                Ok(()) => {
                    self.placed = true;
                    return Ok(());
                }
                // Not every file system can do it.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                Err(error) => return Err(error.into()),
            }
        }
        // The temporary name goes when this is dropped.
        Ok(rustix::fs::linkat(self.directory, &self.name, self.directory, target, AtFlags::empty())?)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.placed {
            // When even that fails, the next write removes it.
            let _ = rustix::fs::unlinkat(self.directory, &self.name, AtFlags::empty());
        }
    }
}

fn name(target: &OsStr, number: usize) -> OsString {
    let mut name = OsString::from(".");
    if target.len() <= LONGEST {
        name.push(target);
    } else {
        let mut hasher = DefaultHasher::new();
        hasher.write(target.as_bytes());
        name.push(OsStr::from_bytes(&target.as_bytes()[..LONGEST - 17]));
        name.push(format!("~{:016x}", hasher.finish()));
    }
    name.push(format!(".{number:02}.agentscope-tmp"));
    name
}

/// A new file of that name with a lock on it; none, if the name is taken by a writer that is alive.
fn new_file(directory: BorrowedFd<'_>, name: &OsStr, mode: Mode) -> io::Result<Option<OwnedFd>> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    for _ in 0..3 {
        match rustix::fs::openat(directory, name, flags, mode) {
            Ok(file) => match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                // Another writer took it for a leftover before it was locked, and has removed it or is about to.
                Err(Errno::WOULDBLOCK) => {}
                Ok(()) if file::stat_open(&file)?.links == 0 => {}
                // Where there are no locks nothing is taken for a leftover.
                Ok(()) | Err(_) => return Ok(Some(file)),
            },
            Err(Errno::EXIST) => {
                if !reclaim(directory, name) {
                    return Ok(None);
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Removes what a dead writer left behind; whether the name is free now.
fn reclaim(directory: BorrowedFd<'_>, name: &OsStr) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let leftover = match rustix::fs::openat(directory, name, flags, Mode::empty()) {
        Ok(leftover) => leftover,
        Err(error) => return error == Errno::NOENT,
    };
    if rustix::fs::flock(&leftover, FlockOperation::NonBlockingLockExclusive).is_err() {
        return false;
    }
    // Its writer may have finished in between, and the name be that of another's file. While the lock is held, the name
    // of a file that is still there does not change.
    let same = match (file::stat_open(&leftover), file::stat_in(directory, name.as_ref())) {
        (Ok(leftover), Ok(Some((named, _)))) => leftover.is_file() && leftover.id == named.id,
        (_, Ok(None)) => return true,
        _ => false,
    };
    same && rustix::fs::unlinkat(directory, name, AtFlags::empty()).is_ok()
}
