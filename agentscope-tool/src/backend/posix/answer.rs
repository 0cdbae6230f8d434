//! What the environment's programs answer, and what it means.

use crate::backend::error::{BackendError, BackendErrorKind, Operation};
use crate::backend::execution::ExecStatus;
use crate::backend::file::{DirEntry, FileId, FileKind, FileTime, Stat};

/// The texts of the C library for what can go wrong; GNU, musl and BusyBox agree on these.
const FAILURES: [(&str, BackendErrorKind); 11] = [
    ("No such file or directory", BackendErrorKind::NotFound),
    ("Permission denied", BackendErrorKind::PermissionDenied),
    ("Operation not permitted", BackendErrorKind::PermissionDenied),
    ("Not a directory", BackendErrorKind::NotADirectory),
    ("Is a directory", BackendErrorKind::IsADirectory),
    ("Read-only file system", BackendErrorKind::ReadOnlyFilesystem),
    ("No space left on device", BackendErrorKind::NoSpace),
    ("Disk quota exceeded", BackendErrorKind::NoSpace),
    ("File too large", BackendErrorKind::TooLarge),
    ("Device or resource busy", BackendErrorKind::Busy),
    ("File name too long", BackendErrorKind::InvalidInput),
];

/// The error of a program that failed, from what it said. The text of the reason stands at its end, the path before it.
pub(super) fn failure(operation: Operation, path: &str, status: ExecStatus, stderr: &str) -> BackendError {
    let said = stderr.trim();
    let known = FAILURES.iter().find(|(text, _)| said.ends_with(text));
    match known {
        Some((_, kind)) => BackendError::new(operation, path, *kind),
        None if status == ExecStatus::TimedOut => BackendError::new(operation, path, BackendErrorKind::TimedOut),
        None if said.is_empty() => BackendError::other(operation, path, format!("the program for it {status}")),
        None => BackendError::other(operation, path, said),
    }
}

/// Reads `%f %s %d %i %h %y|%z` of `stat`, in UTC.
pub(super) fn parse_stat(line: &str) -> Option<Stat> {
    let mut fields = line.splitn(6, ' ');
    let mode = u32::from_str_radix(fields.next()?, 16).ok()?;
    let size = fields.next()?.parse().ok()?;
    let device = fields.next()?.parse().ok()?;
    let inode = fields.next()?.parse().ok()?;
    let links = fields.next()?.parse().ok()?;
    let (mtime, ctime) = fields.next()?.split_once('|')?;
    Some(Stat {
        kind: kind_of_mode(mode),
        size,
        mtime: parse_time(mtime)?,
        ctime: parse_time(ctime)?,
        mode: mode & 0o7777,
        id: FileId { device, inode },
        links,
    })
}

/// Reads `2026-01-31 12:00:00.123456789 +0000`; BusyBox may leave out the zone, or the fraction.
fn parse_time(text: &str) -> Option<FileTime> {
    let mut parts = text.split_whitespace();
    let (date, time) = (parts.next()?, parts.next()?);
    let instant = jiff::civil::DateTime::strptime("%Y-%m-%d %H:%M:%S%.f", format!("{date} {time}")).ok()?;
    let instant = jiff::tz::TimeZone::UTC.to_timestamp(instant).ok()?.as_nanosecond();
    let seconds = i64::try_from(instant.div_euclid(1_000_000_000)).ok()?;
    let nanos = u32::try_from(instant.rem_euclid(1_000_000_000)).ok()?;
    Some(FileTime { seconds, nanos })
}

fn kind_of_mode(mode: u32) -> FileKind {
    match mode & 0o170_000 {
        0o100_000 => FileKind::File,
        0o040_000 => FileKind::Directory,
        0o120_000 => FileKind::Symlink,
        0o010_000 => FileKind::Fifo,
        0o140_000 => FileKind::Socket,
        0o060_000 => FileKind::BlockDevice,
        0o020_000 => FileKind::CharDevice,
        _ => FileKind::Unknown,
    }
}

/// Reads letters of kinds, each with a name and a NUL.
pub(super) fn parse_list(output: &[u8]) -> Vec<DirEntry> {
    let mut entries: Vec<_> = output
        .split(|byte| *byte == 0)
        .filter_map(|entry| {
            let (kind, name) = entry.split_first()?;
            let kind = match kind {
                b'f' => FileKind::File,
                b'd' => FileKind::Directory,
                b'l' => FileKind::Symlink,
                b'p' => FileKind::Fifo,
                b's' => FileKind::Socket,
                b'b' => FileKind::BlockDevice,
                b'c' => FileKind::CharDevice,
                _ => FileKind::Unknown,
            };
            Some(DirEntry::new(name.to_vec(), kind))
        })
        .collect();
    entries.sort_by(|a, b| a.name_bytes().cmp(b.name_bytes()));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answers_of_gnu_and_busybox_are_understood() {
        let gnu = "81a4 5 65024 4242 1 2026-01-31 12:00:00.123456789 +0000|1969-12-31 23:59:59.500000000 +0000";
        let stat = parse_stat(gnu).unwrap();
        assert_eq!((stat.kind, stat.mode, stat.size, stat.links), (FileKind::File, 0o644, 5, 1));
        assert_eq!(stat.id, FileId { device: 65024, inode: 4242 });
        assert_eq!(stat.mtime, FileTime::new(1_769_860_800, 123_456_789));
        assert_eq!(stat.ctime, FileTime::new(-1, 500_000_000));
        let busybox = "41ed 4096 2049 2 3 2026-01-31 12:00:00|2026-01-31 12:00:00.000000000";
        assert_eq!(parse_stat(busybox).unwrap().kind, FileKind::Directory);
        for nonsense in ["", "stat: unknown option", "81a4 5 65024 4242 1 yesterday|today", "zz 5 1 1 1 a b|c d"] {
            assert_eq!(parse_stat(nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn the_reason_is_read_at_the_end_where_no_path_can_forge_it() {
        let kind = |said: &str| failure(Operation::Read, "x", ExecStatus::Exited(1), said).kind();
        assert_eq!(kind("cat: x: No such file or directory\n"), BackendErrorKind::NotFound);
        assert_eq!(kind("cat: 'No such file or directory': Permission denied\n"), BackendErrorKind::PermissionDenied);
        assert_eq!(kind("cat: x: Stale file handle"), BackendErrorKind::Other);
        assert_eq!(failure(Operation::Read, "x", ExecStatus::TimedOut, "").kind(), BackendErrorKind::TimedOut);
        let silent = failure(Operation::Read, "x", ExecStatus::Signaled(9), "");
        assert_eq!(silent.to_string(), "cannot read `x`: the program for it ended by signal 9");
    }
}
