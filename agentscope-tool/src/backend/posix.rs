//! What a backend can do with nothing but programs to run: the environment's own `sh`, `stat`, `cat`, `rm`, `readlink`,
//! as GNU, BusyBox and the like have them.
//!
//! Paths are always arguments of their own, never part of a script's text, and never taken for an option.

mod answer;

use std::borrow::Cow;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};

use self::answer::{failure, parse_list, parse_stat};
use super::change::{Removal, nameless};
use super::command::{Command, OutputLimits};
use super::error::{BackendError, BackendErrorKind, Operation};
use super::execution::{ExecEvent, ExecOutput, ExecStatus, Execution};
use super::file::{ByteRange, DirEntry, FileStream, Stat};
use super::{Backend, path};

/// Follows the links of each argument, and prints `ok` or why not, and the result, each followed by a NUL.
const CANONICALIZE: &str = include_str!("posix/canonicalize.sh");
/// Prints the kind and the name of all that is in the directory, each followed by a NUL.
const LIST: &str = include_str!("posix/list.sh");

pub(super) async fn stat(backend: &(impl Backend + ?Sized), path: &str, follow: bool) -> Result<Stat, BackendError> {
    let mut command = Command::new("stat");
    if follow {
        command = command.arg("-L");
    }
    let command = command.args(["-c", "%f %s %d %i %h %y|%z", "--", &*argument(Operation::Stat, path)?]);
    let output = run(backend, Operation::Stat, path, command).await?;
    let text = output.stdout.to_text();
    parse_stat(text.trim_end())
        .ok_or_else(|| BackendError::other(Operation::Stat, path, format!("`stat` answered `{}`", text.trim_end())))
}

pub(super) async fn list(backend: &(impl Backend + ?Sized), path: &str) -> Result<Vec<DirEntry>, BackendError> {
    let command = script(LIST).arg(argument(Operation::List, path)?);
    let output = run(backend, Operation::List, path, command).await?;
    Ok(parse_list(output.stdout.head()))
}

pub(super) async fn read_stream(
    backend: &(impl Backend + ?Sized),
    path: &str,
    range: ByteRange,
) -> Result<FileStream, BackendError> {
    // A pipe or a device could keep `cat` waiting for ever.
    let stat = backend.stat(path).await.map_err(|error| retell(error, Operation::Read))?;
    if !stat.is_file() {
        return Err(stat.kind.not_a_file(Operation::Read, path));
    }
    // A file that seems empty may still hold something, as those in `/proc`.
    if stat.size > 0 && range.start >= stat.size {
        return Ok(FileStream::new(path, stat, stream::empty()));
    }
    let file = argument(Operation::Read, path)?;
    let first = range.start.saturating_add(1).to_string();
    let command = match range.len {
        None if range.start == 0 => Command::new("cat").args(["--", &*file]),
        None => Command::new("tail").args(["-c", &format!("+{first}"), "--", &*file]),
        Some(len) => {
            script(r#"[ -r "$1" ] || { echo 'Permission denied' >&2; exit 1; }; tail -c "+$2" -- "$1" | head -c "$3""#)
                .args([&*file, &first, &len.to_string()])
        }
    };
    let command = english(command).limits(OutputLimits { head: 4_096, tail: 0 });
    let execution = backend.exec(command).await.map_err(|error| unavailable(error, Operation::Read, path))?;
    Ok(FileStream::new(path, stat, pieces(execution, path.into())))
}

/// The standard output of a program whose failure is an error.
fn pieces(execution: Execution, path: String) -> impl stream::Stream<Item = Result<Bytes, BackendError>> + Send {
    stream::unfold(Some((execution, path)), |state| async {
        let (mut execution, path) = state?;
        loop {
            match execution.next().await? {
                Ok(ExecEvent::Stdout(bytes)) => return Some((Ok(bytes), Some((execution, path)))),
                Ok(ExecEvent::Exit(status)) => {
                    let error = || failure(Operation::Read, &path, status, &execution.stderr().to_text());
                    return (!status.success()).then(|| (Err(error()), None));
                }
                Ok(ExecEvent::Stderr(_)) => {}
                Err(error) => return Some((Err(unavailable(error, Operation::Read, &path)), None)),
            }
        }
    })
}

pub(super) async fn remove(backend: &(impl Backend + ?Sized), path: &str, what: Removal) -> Result<(), BackendError> {
    if path::file_name(path).is_none() {
        return Err(nameless(path));
    }
    // A slash at the end would follow the link.
    let name = path.trim_end_matches('/');
    let found = backend.stat_link(name).await.map_err(|error| retell(error, Operation::Remove))?;
    let option = match what {
        Removal::File if found.is_dir() => {
            return Err(BackendError::new(Operation::Remove, path, BackendErrorKind::IsADirectory));
        }
        Removal::File => "-f",
        Removal::Tree => "-rf",
    };
    let command = Command::new("rm").args([option, "--", &*argument(Operation::Remove, name)?]);
    run(backend, Operation::Remove, path, command).await.map(drop)
}

pub(super) async fn canonicalize_all(
    backend: &(impl Backend + ?Sized),
    paths: &[String],
) -> Vec<Result<String, BackendError>> {
    let mut results = Vec::with_capacity(paths.len());
    // Fewer than the arguments of one program may be.
    for paths in paths.chunks(100) {
        results.extend(canonicalize_some(backend, paths).await);
    }
    results
}

async fn canonicalize_some(backend: &(impl Backend + ?Sized), paths: &[String]) -> Vec<Result<String, BackendError>> {
    const OPERATION: Operation = Operation::Canonicalize;
    let invalid = |path: &String| argument(OPERATION, path).err();
    let command = script(CANONICALIZE).args(paths.iter().filter(|path| invalid(path).is_none()));
    let output = run(backend, OPERATION, paths.first().map_or("", String::as_str), command).await;
    let mut fields = output.as_ref().map_or(&[][..], |output| output.stdout.head()).split(|byte| *byte == 0);
    let resolve = |path: &String| {
        if let Some(error) = invalid(path) {
            return Err(error);
        }
        match (&output, fields.next(), fields.next()) {
            (Ok(_), Some(b"ok"), Some(resolved)) => String::from_utf8(resolved.to_vec()).map_err(|error| {
                BackendError::other(OPERATION, path, error).because("it leads to a path that is not UTF-8; rename it")
            }),
            (Ok(_), Some(b"loop"), Some(_)) => {
                Err(BackendError::other(OPERATION, path, "it leads through more than 40 symbolic links"))
            }
            (Ok(_), Some(b"denied"), Some(_)) => {
                Err(BackendError::new(OPERATION, path, BackendErrorKind::PermissionDenied))
            }
            (Ok(_), ..) => Err(BackendError::other(OPERATION, path, "the environment gave no answer")),
            (Err(error), ..) => {
                Err(BackendError::new(OPERATION, path, error.kind()).because(error.reason().into_owned()))
            }
        }
    };
    paths.iter().map(resolve).collect()
}

pub(super) async fn home(backend: &(impl Backend + ?Sized)) -> Result<String, BackendError> {
    directory(backend, Operation::Home, r#"printf '%s\n' "$HOME""#, "HOME is not set to an absolute path").await
}

pub(super) async fn cwd(backend: &(impl Backend + ?Sized)) -> Result<String, BackendError> {
    directory(backend, Operation::CurrentDirectory, "pwd -P", "the current directory is not there any more").await
}

async fn directory(
    backend: &(impl Backend + ?Sized),
    operation: Operation,
    text: &str,
    otherwise: &'static str,
) -> Result<String, BackendError> {
    let output = run(backend, operation, "", script(text)).await?;
    let printed = String::from_utf8(output.stdout.to_vec())
        .map_err(|error| BackendError::other(operation, "", error).because("its path is not UTF-8"))?;
    match printed.strip_suffix('\n') {
        Some(found) if path::is_absolute(found) => Ok(found.into()),
        _ => Err(BackendError::new(operation, "", BackendErrorKind::NotFound).because(otherwise)),
    }
}

/// Runs a program to its end; that it fails is an error.
async fn run(
    backend: &(impl Backend + ?Sized),
    operation: Operation,
    path: &str,
    command: Command,
) -> Result<ExecOutput, BackendError> {
    let command = english(command).limits(OutputLimits::UNLIMITED);
    let execution = backend.exec(command).await.map_err(|error| unavailable(error, operation, path))?;
    let output = execution.output().await.map_err(|error| unavailable(error, operation, path))?;
    match output.status {
        ExecStatus::Exited(0) => Ok(output),
        status => Err(failure(operation, path, status, &output.stderr.to_text())),
    }
}

/// A script with the arguments that follow.
fn script(text: &str) -> Command {
    Command::new("sh").args(["-c", text, "sh"])
}

/// Messages and times in the one form that is understood here.
fn english(command: Command) -> Command {
    command.env("LC_ALL", "C").env("TZ", "UTC0")
}

/// A path as an argument that no program takes for an option or for its standard input.
fn argument(operation: Operation, path: &str) -> Result<Cow<'_, str>, BackendError> {
    match path {
        "" => Err(BackendError::new(operation, path, BackendErrorKind::InvalidInput)),
        path if path.contains('\0') => Err(BackendError::new(operation, path, BackendErrorKind::InvalidInput)),
        path if path.starts_with('-') => Ok(format!("./{path}").into()),
        path => Ok(path.into()),
    }
}

/// The failure of a step as that of the whole.
fn retell(error: BackendError, operation: Operation) -> BackendError {
    BackendError::new(operation, error.path(), error.kind()).because(error.reason().into_owned())
}

/// The environment could not even run the program that should have answered.
fn unavailable(error: BackendError, operation: Operation, path: &str) -> BackendError {
    let kind = match error.kind() {
        // It is the program that is not there, not the file.
        BackendErrorKind::NotFound => BackendErrorKind::Unsupported,
        kind => kind,
    };
    BackendError::new(operation, path, kind).because(error.to_string())
}
