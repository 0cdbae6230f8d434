//! What an environment is asked once: which shell it has, and which variables have to go.

use std::time::Duration;

use agentscope_tool::ToolError;
use agentscope_tool::backend::{Backend, BackendError, BackendErrorKind, Command, ExecOutput, ExecStatus};

use super::environment;
use crate::bash::Shell;

/// Says which shell it is, and what variables there are.
const ASK: &str = "echo \"${BASH_VERSION:+bash}\"; env 2>/dev/null || :";
/// An environment that is slower than that is broken.
const PATIENCE: Duration = Duration::from_secs(30);

/// What is known of an environment.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) shell: Shell,
    /// Names of variables that commands do not get.
    pub(super) unwanted: Vec<String>,
}

impl Found {
    /// Looks for bash, and for `sh` where there is none.
    ///
    /// # Errors
    /// When the environment runs no programs, or has neither.
    pub(super) async fn ask(backend: &dyn Backend) -> Result<Self, ToolError> {
        for shell in [Shell::Bash, Shell::Posix] {
            if let Some(found) = ask(backend, shell).await? {
                return Ok(found);
            }
        }
        Err(ToolError::failed("the environment has neither `bash` nor `sh`, so no shell command can run in it"))
    }

    /// The shell's program, with that text to run.
    pub(super) fn command(&self, text: String) -> Command {
        invocation(self.shell).arg(text)
    }
}

/// The shell without the files that it would otherwise run first, up to the command's text.
fn invocation(shell: Shell) -> Command {
    match shell {
        Shell::Bash => Command::new("bash").args(["--noprofile", "--norc", "-c"]),
        Shell::Posix => Command::new("sh").arg("-c"),
    }
}

async fn ask(backend: &dyn Backend, shell: Shell) -> Result<Option<Found>, ToolError> {
    let command = environment::apply(invocation(shell).arg(ASK), &[], &[]).timeout(PATIENCE);
    let program = command.program().to_owned();
    let output = match run(backend, command).await {
        Ok(output) => output,
        // What is missing could also be the directory to run in.
        Err(error) if error.kind() == BackendErrorKind::NotFound && error.path() == program => return Ok(None),
        Err(error) => return Err(ToolError::failed(error.to_string())),
    };
    match output.status {
        ExecStatus::Exited(0) => {}
        // How environments that have no other way say that there is no such program.
        ExecStatus::Exited(126 | 127) => return Ok(None),
        status => {
            let complaint = output.stderr.to_text();
            return Err(ToolError::failed(format!("`{program}` {status} when it was tried: {}", complaint.trim())));
        }
    }
    let text = output.stdout.to_text();
    let (kind, variables) = text.split_once('\n').unwrap_or((&text, ""));
    if shell == Shell::Bash && kind != "bash" {
        return Ok(None);
    }
    // A line of a value may look like a variable; that one of that name is taken away does no harm.
    let names = variables.lines().filter_map(|line| Some(line.split_once('=')?.0));
    let unwanted = names.filter(|name| !name.is_empty() && environment::is_removed(name)).map(Into::into).collect();
    Ok(Some(Found { shell, unwanted }))
}

async fn run(backend: &dyn Backend, command: Command) -> Result<ExecOutput, BackendError> {
    backend.exec(command).await?.output().await
}
