//! One command while it runs: its events become chunks.

use std::time::{Duration, Instant};

use agentscope_tool::backend::{BackendError, ExecEvent, ExecStatus, Execution};
use agentscope_tool::{AgentState, ToolChunk, ToolError, ToolResultState};
use futures_util::StreamExt;
use tokio::time::timeout_at;

use super::cwd::{self, Mark};
use super::decode::Decoder;
use super::output::Output;
use super::report;

/// How much later than its time a command ends at most, when its environment does not end it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A command that runs. Dropping it ends the command and all that the command has started.
pub(super) struct Running {
    execution: Option<Execution>,
    started: Instant,
    limit: Duration,
    stdout: Decoder,
    stderr: Decoder,
    output: Output,
    /// The conversation in which the directory is kept that the command ends in.
    directory: Option<(Mark, AgentState)>,
}

impl Running {
    pub(super) fn new(execution: Execution, started: Instant, limit: Duration, characters: usize) -> Self {
        Self {
            execution: Some(execution),
            started,
            limit,
            stdout: Decoder::default(),
            stderr: Decoder::default(),
            output: Output::new(characters),
            directory: None,
        }
    }

    /// Looks for the directory that the command ends in, and keeps it.
    pub(super) fn keeping(mut self, mark: Mark, state: AgentState) -> Self {
        self.directory = Some((mark, state));
        self
    }

    /// The next chunk; nothing after the last one.
    pub(super) async fn next(&mut self) -> Option<Result<ToolChunk, ToolError>> {
        let end = self.started + self.limit + PATIENCE;
        loop {
            let event = match timeout_at(end.into(), self.execution.as_mut()?.next()).await {
                Ok(event) => event,
                Err(_) => return Some(Ok(self.end(End::GivenUp))),
            };
            let mut text = String::new();
            match event {
                Some(Ok(ExecEvent::Stdout(bytes))) => match &mut self.directory {
                    Some((mark, _)) => self.stdout.push(&mark.push(&bytes), &mut text),
                    None => self.stdout.push(&bytes, &mut text),
                },
                Some(Ok(ExecEvent::Stderr(bytes))) => self.stderr.push(&bytes, &mut text),
                Some(Ok(ExecEvent::Exit(status))) => return Some(Ok(self.end(End::Known(status)))),
                Some(Err(error)) => return Some(Ok(self.end(End::Lost(Some(error))))),
                None => return Some(Ok(self.end(End::Lost(None)))),
                // An event that is not known yet.
                Some(Ok(_)) => {}
            }
            let text = self.output.push(text);
            if !text.is_empty() {
                return Some(Ok(ToolChunk::text(text).more_follows()));
            }
        }
    }

    /// The last chunk: the rest of the output, and how the command ended.
    fn end(&mut self, end: End) -> ToolChunk {
        self.execution = None;
        let mut open = String::new();
        if let Some((mark, state)) = self.directory.take() {
            let (rest, path) = mark.finish();
            self.stdout.push(&rest, &mut open);
            if let Some(path) = path {
                cwd::keep(&state, &path);
            }
        }
        self.stdout.finish(&mut open);
        self.stderr.finish(&mut open);
        let mut text = self.output.push(open);
        let cut = self.output.cut();
        text.push_str(&self.output.finish());

        let failure = match &end {
            End::Known(status) => report::failure(*status, self.limit),
            End::GivenUp => Some(report::given_up(self.limit)),
            End::Lost(Some(error)) => Some(format!("[{error}; how the command ended is not known]")),
            End::Lost(None) => Some("[the environment did not say how the command ended]".into()),
        };
        if let Some(failure) = &failure {
            if !self.output.ends_line() {
                text.push('\n');
            }
            text.push_str(failure);
        }
        let mut chunk = if text.is_empty() { ToolChunk::new(Vec::new()) } else { ToolChunk::text(text) };
        chunk.state = if failure.is_some() { ToolResultState::Error } else { ToolResultState::Running };
        chunk = match end {
            End::Known(ExecStatus::Exited(code)) => chunk.with_metadata("exit_code", code),
            End::Known(ExecStatus::Signaled(signal)) => chunk.with_metadata("signal", signal),
            End::Known(ExecStatus::TimedOut) | End::GivenUp => chunk.with_metadata("timed_out", true),
            _ => chunk,
        };
        if cut > 0 {
            chunk = chunk.with_metadata("characters_left_out", cut);
        }
        let elapsed = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        chunk.with_metadata("elapsed_ms", elapsed)
    }
}

/// How a command ended, as far as the environment has said.
enum End {
    Known(ExecStatus),
    GivenUp,
    Lost(Option<BackendError>),
}
