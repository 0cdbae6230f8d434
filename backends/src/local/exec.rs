//! Starting a program.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use agentscope_tool::backend::{BackendError, BackendErrorKind, Command, Execution, Operation};
use futures_util::stream;
use process_wrap::tokio::{CommandWrap, CommandWrapper, ProcessSession};
use rustix::fs::{Access, Mode, OFlags};
use rustix::process::Pid;
use tokio::process::{Child, Command as Process};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::blocking;
use super::group::{AskOnDrop, ForceOnDrop, Group};
use super::supervise::Supervisor;

/// Pieces of output that may wait to be read before the program has to.
const WAITING: usize = 16;

pub(super) async fn exec(directory: Option<PathBuf>, command: Command) -> Result<Execution, BackendError> {
    let started = Instant::now();
    let runtime = Handle::try_current().map_err(|_| {
        BackendError::new(Operation::Execute, command.program(), BackendErrorKind::Unsupported)
            .because("programs need a Tokio runtime; call this inside of one")
    })?;
    let given = command.clone();
    let running =
        blocking(Operation::Execute, command.program(), move || Running::start(directory.as_deref(), &given)).await?;

    let group = Arc::clone(&running.group.0);
    let (sender, receiver) = mpsc::channel(WAITING);
    let deadline = command.time_limit().and_then(|limit| started.checked_add(limit));
    let supervisor = Supervisor::new(running, sender, command.keeps_background());
    runtime.spawn(supervisor.run(deadline));

    let events = stream::unfold((receiver, AskOnDrop(group)), |(mut receiver, asked)| async {
        let event = receiver.recv().await?;
        Some((event, (receiver, asked)))
    });
    Ok(Execution::new(&command, started, events))
}

/// A program that was started; it is ended when this is dropped.
pub(super) struct Running {
    pub(super) child: Child,
    pub(super) group: ForceOnDrop,
}

impl Running {
    fn start(directory: Option<&Path>, command: &Command) -> Result<Self, BackendError> {
        let cwd = match (directory, command.current_dir()) {
            (_, Some("")) => return Err(no_directory("", io::Error::from(io::ErrorKind::NotFound))),
            (Some(directory), Some(cwd)) => Some(directory.join(cwd)),
            (None, Some(cwd)) => Some(cwd.into()),
            (directory, None) => directory.map(Path::to_path_buf),
        };
        let program = located(command.program(), cwd.as_deref()).map_err(|error| failed(command, error))?;
        let mut process = Process::new(&program);
        process.args(command.arguments()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(cwd) = &cwd {
            process.current_dir(cwd);
        }
        if command.clears_env() {
            process.env_clear();
        }
        for (name, value) in command.env_changes() {
            let _ = match value {
                // The standard library would panic or pass on something else.
                _ if name.is_empty() || name.contains(['=', '\0']) => {
                    return Err(BackendError::new(
                        Operation::Execute,
                        command.program(),
                        BackendErrorKind::InvalidInput,
                    )
                    .because(format!("{name:?} cannot be the name of a variable")));
                }
                Some(value) => process.env(name, value),
                None => process.env_remove(name),
            };
        }
        separate(&mut process).map_err(|error| failed(command, error))?;

        let child = spawn(&mut process).map_err(|error| explain(command, &program, cwd.as_deref(), error))?;
        let leader = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        let Some(leader) = leader else { return Err(failed(command, io::Error::other("it has no process id"))) };
        Ok(Self { child, group: ForceOnDrop(Arc::new(Group::new(leader))) })
    }
}

/// Puts the program into a group of its own. A terminal is out of its reach only in a session of its own, which costs
/// a real fork of this process, so that is left out where there is no terminal.
fn separate(process: &mut Process) -> io::Result<()> {
    let terminal = rustix::fs::open("/dev/tty", OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty());
    if terminal.is_err() {
        process.process_group(0);
        return Ok(());
    }
    ProcessSession.pre_spawn(process, &CommandWrap::from(Process::new("")))
}

fn spawn(process: &mut Process) -> io::Result<Child> {
    let mut attempts = 0;
    loop {
        match process.spawn() {
            // A program that was written just now counts as open for writing while another thread starts a program.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && attempts < 5 => {
                attempts += 1;
                thread::sleep(Duration::from_millis(5 * attempts));
            }
            result => return result,
        }
    }
}

/// A relative path of a program starts where the program runs, whatever way it is started in.
fn located(program: &str, cwd: Option<&Path>) -> io::Result<PathBuf> {
    let path = PathBuf::from(program);
    if !program.contains('/') || path.is_absolute() {
        return Ok(path);
    }
    match cwd {
        Some(cwd) => std::path::absolute(cwd.join(path)),
        None => std::path::absolute(path),
    }
}

/// The system gives one code for all that can be wrong.
fn explain(command: &Command, program: &Path, cwd: Option<&Path>, error: io::Error) -> BackendError {
    if let Some(cwd) = cwd {
        let shown = command.current_dir().map_or_else(|| cwd.to_string_lossy().into_owned(), Into::into);
        match std::fs::metadata(cwd) {
            Err(error) => return no_directory(&shown, error),
            Ok(found) if !found.is_dir() => {
                return no_directory(&shown, io::Error::from(io::ErrorKind::NotADirectory));
            }
            Ok(_) => {}
        }
        if let Err(error) = rustix::fs::access(cwd, Access::EXEC_OK) {
            return no_directory(&shown, error.into());
        }
    }
    let error = failed(command, error);
    match error.kind() {
        BackendErrorKind::NotFound if program.as_os_str().as_bytes().contains(&b'/') && program.exists() => {
            error.because("the program that its first line or its header names to run it is not there")
        }
        BackendErrorKind::NotFound => error.because("there is no such program"),
        BackendErrorKind::TooLarge => error.because("its arguments and variables are larger than the system allows"),
        BackendErrorKind::InvalidInput => error.because("the program, an argument or a variable holds a NUL character"),
        _ => error,
    }
}

fn no_directory(shown: &str, error: io::Error) -> BackendError {
    let error = BackendError::io(Operation::Execute, shown, error);
    let reason = format!("the directory to run a program in is not usable: {}", error.reason());
    error.because(reason)
}

fn failed(command: &Command, error: io::Error) -> BackendError {
    BackendError::io(Operation::Execute, command.program(), error)
}
