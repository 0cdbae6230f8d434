//! Looking at files and directories.

use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use agentscope_tool::backend::{DirEntry, FileId, FileKind, FileTime, Stat};
use rustix::fs::{AtFlags, FileType};
use rustix::io::Errno;

pub(super) fn stat(path: &Path) -> io::Result<Stat> {
    Ok(from_system(&rustix::fs::stat(path)?))
}

pub(super) fn stat_link(path: &Path) -> io::Result<Stat> {
    Ok(from_system(&rustix::fs::lstat(path)?))
}

pub(super) fn stat_open(file: impl AsFd) -> io::Result<Stat> {
    Ok(from_system(&rustix::fs::fstat(file)?))
}

/// What has that name in the directory, and the user and group that own it. Links are not followed.
pub(super) fn stat_in(directory: impl AsFd, name: &Path) -> io::Result<Option<(Stat, Owner)>> {
    match rustix::fs::statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => Ok(Some((from_system(&found), Owner { user: found.st_uid, group: found.st_gid }))),
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Who owns a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) user: u32,
    pub(super) group: u32,
}

impl Owner {
    pub(super) fn of(file: impl AsFd) -> io::Result<Self> {
        let found = rustix::fs::fstat(file)?;
        Ok(Self { user: found.st_uid, group: found.st_gid })
    }
}

pub(super) fn list(path: &Path) -> io::Result<Vec<DirEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        // What is gone by now would be no entry; its kind is asked for only where the listing does not say it.
        let kind = entry.file_type().map_or(FileKind::Unknown, kind_of_std);
        entries.push(DirEntry::new(entry.file_name().into_vec(), kind));
    }
    entries.sort_by(|a, b| a.name_bytes().cmp(b.name_bytes()));
    Ok(entries)
}

// The widths and signs of the fields differ between systems.
#[allow(clippy::unnecessary_cast, clippy::useless_conversion, reason = "the types differ between systems")]
fn from_system(found: &rustix::fs::Stat) -> Stat {
    Stat {
        kind: kind_of(FileType::from_raw_mode(found.st_mode)),
        size: u64::try_from(found.st_size).unwrap_or_default(),
        mtime: FileTime::new(found.st_mtime as i64, found.st_mtime_nsec as u32),
        ctime: FileTime::new(found.st_ctime as i64, found.st_ctime_nsec as u32),
        mode: u32::from(found.st_mode) & 0o7777,
        id: FileId { device: found.st_dev as u64, inode: found.st_ino as u64 },
        links: found.st_nlink as u64,
    }
}

fn kind_of(kind: FileType) -> FileKind {
    match kind {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Directory,
        FileType::Symlink => FileKind::Symlink,
        FileType::Fifo => FileKind::Fifo,
        FileType::Socket => FileKind::Socket,
        FileType::BlockDevice => FileKind::BlockDevice,
        FileType::CharacterDevice => FileKind::CharDevice,
        _ => FileKind::Unknown,
    }
}

fn kind_of_std(kind: fs::FileType) -> FileKind {
    use std::os::unix::fs::FileTypeExt;

    match kind {
        kind if kind.is_file() => FileKind::File,
        kind if kind.is_dir() => FileKind::Directory,
        kind if kind.is_symlink() => FileKind::Symlink,
        kind if kind.is_fifo() => FileKind::Fifo,
        kind if kind.is_socket() => FileKind::Socket,
        kind if kind.is_block_device() => FileKind::BlockDevice,
        kind if kind.is_char_device() => FileKind::CharDevice,
        _ => FileKind::Unknown,
    }
}
