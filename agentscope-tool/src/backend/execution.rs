//! A program that runs: its output as it comes, and what is known at its end.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream::{FusedStream, Stream, StreamExt};

use super::captured::Captured;
use super::command::Command;
use super::error::{BackendError, Operation};

/// Something that a running program did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExecEvent {
    /// It wrote to its standard output. Pieces may end anywhere, also in the middle of a character.
    Stdout(Bytes),
    /// It wrote to its standard error.
    Stderr(Bytes),
    /// It ended; nothing follows.
    Exit(ExecStatus),
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ExecStatus {
    /// By itself, with that code.
    Exited(i32),
    /// By that signal.
    Signaled(i32),
    /// It was ended because its time was over.
    TimedOut,
}

impl ExecStatus {
    /// Whether it ended by itself with code 0.
    #[must_use]
    pub fn success(self) -> bool {
        self == Self::Exited(0)
    }

    /// The exit code, if it ended by itself.
    #[must_use]
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Exited(code) => Some(code),
            Self::Signaled(_) | Self::TimedOut => None,
        }
    }
}

impl fmt::Display for ExecStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(code) => write!(f, "exited with code {code}"),
            Self::Signaled(signal) => write!(f, "ended by signal {signal}"),
            Self::TimedOut => f.write_str("timed out"),
        }
    }
}

/// What is known of a program that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExecOutput {
    /// How it ended.
    pub status: ExecStatus,
    /// What was kept of its standard output; also of a program that timed out.
    pub stdout: Captured,
    /// What was kept of its standard error.
    pub stderr: Captured,
    /// How long it took, from the request to its end.
    pub elapsed: Duration,
}

type Events = Pin<Box<dyn Stream<Item = Result<ExecEvent, BackendError>> + Send>>;

/// A program that runs. As a stream it gives what the program does as it happens; [`output`](Self::output) waits for
/// the end. Either way start and end of both outputs are kept within the command's
/// [limits](Command::limits), so the memory needed does not grow with the output.
///
/// Dropping it ends the program, and whatever the program started.
///
/// ```
/// use agentscope_tool::backend::{Backend, Command, ExecEvent};
/// use agentscope_tool::testing::{ExecReply, MemoryBackend};
/// use futures_util::StreamExt;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let backend = MemoryBackend::new().on_exec(|_| Ok(ExecReply::success("4 tests passed\n")));
///
/// let mut tests = backend.exec(Command::new("make").arg("test")).await?;
/// while let Some(event) = tests.next().await {
///     if let ExecEvent::Stdout(bytes) = event? {
///         print!("{}", String::from_utf8_lossy(&bytes));
///     }
/// }
/// let output = tests.output().await?;
/// assert!(output.status.success());
/// assert_eq!(output.stdout.to_text(), "4 tests passed\n");
/// # Ok(()) }
/// ```
#[must_use = "dropping an execution ends the program"]
pub struct Execution {
    events: Option<Events>,
    program: String,
    started: Instant,
    stdout: Captured,
    stderr: Captured,
    end: Option<(ExecStatus, Duration)>,
}

impl Execution {
    /// An execution from what a backend hears of the program. The last event is [`ExecEvent::Exit`] or an error;
    /// dropping the stream has to end the program with all that it started. `started` is when it was asked for.
    pub fn new(
        command: &Command,
        started: Instant,
        events: impl Stream<Item = Result<ExecEvent, BackendError>> + Send + 'static,
    ) -> Self {
        let limits = command.output_limits();
        Self {
            events: Some(Box::pin(events)),
            program: command.program().into(),
            started,
            stdout: Captured::new(limits),
            stderr: Captured::new(limits),
            end: None,
        }
    }

    /// What was kept of standard output until now.
    #[must_use]
    pub fn stdout(&self) -> &Captured {
        &self.stdout
    }

    /// What was kept of standard error until now.
    #[must_use]
    pub fn stderr(&self) -> &Captured {
        &self.stderr
    }

    /// How the program ended, once it has.
    #[must_use]
    pub fn status(&self) -> Option<ExecStatus> {
        self.end.map(|(status, _)| status)
    }

    /// Waits for the end. A program that fails or times out is a result, not an error.
    ///
    /// # Errors
    /// When the environment can no longer say what the program does, or the stream was read to such an error before.
    pub async fn output(mut self) -> Result<ExecOutput, BackendError> {
        while let Some(event) = self.next().await {
            event?;
        }
        let Some((status, elapsed)) = self.end else { return Err(self.broken()) };
        Ok(ExecOutput { status, stdout: self.stdout, stderr: self.stderr, elapsed })
    }

    fn broken(&self) -> BackendError {
        BackendError::other(Operation::Execute, &self.program, "the environment did not say how the program ended")
    }
}

impl Stream for Execution {
    type Item = Result<ExecEvent, BackendError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let Some(events) = &mut this.events else { return Poll::Ready(None) };
        let item = match events.as_mut().poll_next(cx) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(Some(item)) => item,
            Poll::Ready(None) => Err(this.broken()),
        };
        match &item {
            Ok(ExecEvent::Stdout(bytes)) => this.stdout.push(bytes),
            Ok(ExecEvent::Stderr(bytes)) => this.stderr.push(bytes),
            Ok(ExecEvent::Exit(status)) => this.end = Some((*status, this.started.elapsed())),
            Err(_) => {}
        }
        if matches!(item, Ok(ExecEvent::Exit(_)) | Err(_)) {
            this.events = None;
        }
        Poll::Ready(Some(item))
    }
}

impl FusedStream for Execution {
    fn is_terminated(&self) -> bool {
        self.events.is_none()
    }
}

impl fmt::Debug for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution").field("program", &self.program).field("end", &self.end).finish_non_exhaustive()
    }
}
