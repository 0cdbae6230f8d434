//! The files below a directory of another environment, as its `find` tells them, or one listing after the other.

use agentscope_tool::ToolError;
use agentscope_tool::backend::{Backend, BackendErrorKind, Command, FileKind, FileTime};

use super::filter::VCS;
use super::newest::Found;
use super::place;
use super::run::{Ran, run};
use super::unreadable::Unreadable;
use super::virtual_fs::{self, is_virtual};
use super::watch::Watch;

/// Which files are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted<'w> {
    /// The directory, as an absolute path.
    pub(crate) root: &'w str,
    /// How deep below it.
    pub(crate) depth: Option<usize>,
    /// Whether links to files count as files.
    pub(crate) links: bool,
    /// Whether directories of version control systems are entered.
    pub(crate) vcs: bool,
}

/// Gives all files to `take`, in any order, until that says false. What could not be read is told.
///
/// # Errors
/// When the environment cannot be asked.
pub(crate) async fn files(
    backend: &dyn Backend,
    wanted: Wanted<'_>,
    watch: &Watch,
    mut take: impl FnMut(Found) -> bool + Send,
) -> Result<Unreadable, ToolError> {
    let mut unreadable = Unreadable::default();
    let mut any = false;
    let ran = run(backend, wanted.gnu(), b"\0", watch, |record| {
        any = true;
        record.and_then(|record| wanted.gnu_record(record)).is_none_or(&mut take)
    });
    match ran.await? {
        Ran::Stopped => return Ok(unreadable),
        Ran::Exited(code, complaints) if code == 0 || any => {
            note(&complaints, &mut unreadable);
            return Ok(unreadable);
        }
        // It may be one that knows fewer options.
        Ran::Exited(..) => {
            let ran = run(backend, wanted.plain(), b"\n//", watch, |record| {
                record.and_then(|record| wanted.plain_record(record)).is_none_or(&mut take)
            });
            match ran.await? {
                Ran::Exited(_, complaints) => {
                    note(&complaints, &mut unreadable);
                    return Ok(unreadable);
                }
                Ran::Stopped => return Ok(unreadable),
                Ran::Missing => {}
            }
        }
        Ran::Missing => {}
    }
    list(backend, wanted, watch, &mut unreadable, take).await?;
    Ok(unreadable)
}

impl Wanted<'_> {
    fn command(&self) -> Command {
        // The name of the start is `.`, whatever the directory is called; and it is no option.
        let mut command = Command::new("find").arg(format!("{}/.", self.root)).args(["-mindepth", "1"]);
        if let Some(depth) = self.depth {
            command = command.args(["-maxdepth", &depth.to_string()]);
        }
        if self.root == "/" {
            for name in virtual_fs::NAMES {
                command = command.args(["-path", &format!("//./{name}"), "-prune", "-o"]);
            }
        }
        if !self.vcs {
            command = command.arg("(");
            for (index, name) in VCS.iter().enumerate() {
                command =
                    command.args(if index == 0 { &["-name"][..] } else { &["-o", "-name"] }.iter().copied()).arg(*name);
            }
            command = command.args([")", "-prune", "-o"]);
        }
        match self.links {
            true => command.args(["(", "-type", "f", "-o", "-type", "l", ")"]),
            false => command.args(["-type", "f"]),
        }
    }

    /// For GNU's `find`: what a link leads to, the time and the path.
    fn gnu(&self) -> Command {
        self.command().args(["-printf", "%Y %T@ %P\\0"])
    }

    fn gnu_record(&self, record: &[u8]) -> Option<Found> {
        let mut fields = record.splitn(3, |byte| *byte == b' ');
        let (kind, time, path) = (fields.next()?, fields.next()?, fields.next()?);
        (kind == b"f").then(|| Found { mtime: time_of(time), path: path.to_owned() })
    }

    /// For any `find` and `stat`. No path holds `//`, so that it can stand between results.
    fn plain(&self) -> Command {
        self.command().args(["-exec", "stat", "-L", "-c", "//%f %Y %n", "{}", "+"])
    }

    fn plain_record(&self, record: &[u8]) -> Option<Found> {
        let record = record.strip_prefix(b"//").unwrap_or(record);
        let record = record.strip_suffix(b"\n").unwrap_or(record);
        let mut fields = record.splitn(3, |byte| *byte == b' ');
        let (mode, time, path) = (fields.next()?, fields.next()?, fields.next()?);
        let mode = u32::from_str_radix(std::str::from_utf8(mode).ok()?, 16).ok()?;
        let path = path.strip_prefix(self.root.as_bytes())?.strip_prefix(b"/./")?;
        (mode & 0o170_000 == 0o100_000).then(|| Found { mtime: time_of(time), path: path.to_owned() })
    }
}

/// Seconds since 1970, with a fraction.
fn time_of(text: &[u8]) -> FileTime {
    let text = std::str::from_utf8(text).unwrap_or_default();
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let negative = seconds.starts_with('-');
    let seconds: i64 = seconds.parse().unwrap_or_default();
    let digits: String = fraction.chars().chain("000000000".chars()).take(9).collect();
    match digits.parse().unwrap_or_default() {
        nanos if negative && nanos > 0 => FileTime::new(seconds - 1, 1_000_000_000 - nanos),
        nanos => FileTime::new(seconds, nanos),
    }
}

/// What `find` complains about is what it could not read: `find: ‘/x/y’: Permission denied`.
fn note(complaints: &str, unreadable: &mut Unreadable) {
    for line in complaints.lines() {
        let line = line.strip_prefix("find: ").unwrap_or(line);
        if let Some((path, reason)) = line.rsplit_once(": ")
            && reason == "Permission denied"
        {
            let path = path.trim_matches(['\'', '‘', '’', '"', '`']).replace("/./", "/");
            unreadable.push(path.as_bytes(), "permission denied");
        }
    }
}

/// Lists directory after directory.
async fn list(
    backend: &dyn Backend,
    wanted: Wanted<'_>,
    watch: &Watch,
    unreadable: &mut Unreadable,
    mut take: impl FnMut(Found) -> bool + Send,
) -> Result<(), ToolError> {
    let mut directories = vec![(String::new(), 1)];
    while let Some((directory, depth)) = directories.pop() {
        let path = if directory.is_empty() { wanted.root.to_owned() } else { backend.join(wanted.root, &directory) };
        let entries = match backend.list(&path).await {
            Ok(entries) => entries,
            Err(error) if error.kind() == BackendErrorKind::NotFound => continue,
            Err(error) if directory.is_empty() => return Err(ToolError::failed(error.to_string())),
            Err(error) => {
                unreadable.push(path.as_bytes(), error.reason());
                continue;
            }
        };
        for entry in entries {
            if watch.stops() {
                return Ok(());
            }
            let below = if directory.is_empty() { entry.name.clone() } else { format!("{directory}/{}", entry.name) };
            match entry.kind {
                FileKind::Directory if is_virtual(format!("{path}{}", entry.name).as_bytes()) => {}
                FileKind::Directory => {
                    let enters = wanted.vcs || !VCS.contains(&entry.name.as_str());
                    if enters && entry.is_utf8() && wanted.depth.is_none_or(|most| depth < most) {
                        directories.push((below, depth + 1));
                    }
                }
                FileKind::File | FileKind::Symlink if entry.kind == FileKind::File || wanted.links => {
                    let raw = place::below(directory.as_bytes(), entry.name_bytes());
                    let raw = raw.strip_prefix(b"/").unwrap_or(&raw).to_owned();
                    // Only what can be named can be looked at.
                    let stat = if entry.is_utf8() {
                        backend.stat(&backend.join(wanted.root, &below)).await.ok()
                    } else {
                        None
                    };
                    let found = match stat {
                        Some(stat) if stat.is_file() => Found { mtime: stat.mtime, path: raw },
                        None if entry.kind == FileKind::File => Found { mtime: FileTime::default(), path: raw },
                        _ => continue,
                    };
                    if !take(found) {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }
    Ok(())
}
