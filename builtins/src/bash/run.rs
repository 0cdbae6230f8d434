//! Running a command text with the shell of an environment.
//!
//! The shell is `bash --noprofile --norc -c`, or `sh -c` where there is no bash; which one is looked up once. It starts
//! with cleaned variables, without input and without a terminal. What it prints is streamed as it comes, both outputs as
//! they interleave, and cut to a limit of which the start and the end stay.

mod args;
mod cwd;
mod decode;
mod environment;
mod found;
mod git;
mod options;
mod output;
mod report;
mod stream;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::{Duration, Instant};

use agentscope_tool::backend::{Backend, BackendErrorKind, OutputLimits, path};
use agentscope_tool::{AgentState, ToolContext, ToolError, ToolStream};
use futures_util::future::Either;
use futures_util::{StreamExt, stream as streams};
use tokio::sync::OnceCell;
use tokio::time::timeout;

pub use self::args::BashArgs;
use self::args::{DEFAULT_TIMEOUT, MAX_TIMEOUT};
use self::cwd::Mark;
use self::found::Found;
pub(crate) use self::options::RunOptions;
use self::stream::Running;
use super::Shell;

/// Runs commands in an environment. A cheap handle; its clones share what was found out about the environment.
#[derive(Clone, Debug)]
pub(crate) struct Runner {
    backend: Arc<dyn Backend>,
    found: Arc<OnceCell<Found>>,
    options: Arc<RunOptions>,
}

impl Runner {
    /// A runner for that environment.
    pub(crate) fn new(backend: Arc<dyn Backend>, options: RunOptions) -> Self {
        Self { backend, found: Arc::default(), options: Arc::new(options) }
    }

    /// The shell that runs the commands, whose grammar they have to be read by.
    ///
    /// # Errors
    /// When the environment has none, or cannot be asked. It is asked again the next time.
    pub(crate) async fn shell(&self) -> Result<Shell, ToolError> {
        Ok(self.found().await?.shell)
    }

    /// The directory in which every command starts; nothing where that depends on the conversation, or is not known.
    pub(crate) async fn fixed_cwd(&self) -> Option<String> {
        let chosen = self.options.cwd.as_deref();
        if self.options.keep_cwd {
            return None;
        }
        match chosen {
            Some(path) if path.starts_with('/') => Some(path.to_owned()),
            _ => {
                let base = self.backend.cwd().await.ok()?;
                Some(chosen.map_or_else(|| base.clone(), |path| path::join(&base, path)))
            }
        }
    }

    /// Why a git command in that directory may run other programs although it only looks, each a sentence for whoever
    /// decides about it; none where it surely does not. A git command counts as reading only after this was asked for
    /// the directory that it works in.
    pub(crate) async fn git_hazards(&self, directory: &str) -> Vec<String> {
        match self.found().await {
            Ok(found) => git::hazards(&*self.backend, found, &self.options.env, directory).await,
            Err(error) => vec![error.agent_message().into_owned()],
        }
    }

    /// Runs a command. What it prints comes as it is printed; how it ended comes last. Dropping the stream ends the
    /// command and all that it has started.
    pub(crate) fn run(&self, args: BashArgs, cx: &ToolContext) -> ToolStream {
        let (runner, state) = (self.clone(), cx.agent_state().clone());
        let chunks = streams::once(async move { runner.start(args, state).await }).flat_map(|started| match started {
            Ok(running) => Either::Left(streams::unfold(running, |mut running| async {
                let chunk = running.next().await?;
                Some((chunk, running))
            })),
            Err(error) => Either::Right(streams::once(async { Err(error) })),
        });
        ToolStream::new(chunks)
    }

    async fn start(&self, args: BashArgs, state: AgentState) -> Result<Running, ToolError> {
        let found = self.found().await?;
        let started = Instant::now();
        let limit = Duration::from_millis(match args.timeout {
            0 => DEFAULT_TIMEOUT,
            given => given.min(MAX_TIMEOUT),
        });
        let mark = (self.options.keep_cwd && cwd::may_change(&args.command)).then(Mark::new);
        // Both outputs into one, or nobody could tell in which order their pieces were printed.
        let own = format!("exec 2>&1; {}", args.command);
        let text = mark.as_ref().map_or_else(|| own.clone(), |mark| mark.around(&own));
        let mut command = environment::apply(found.command(text), &found.unwanted, &self.options.env)
            .timeout(limit)
            // What is shown is kept here, as text.
            .limits(OutputLimits { head: 0, tail: 0 });
        let directory = self.chosen_cwd(&state);
        if let Some(path) = &directory {
            command = command.cwd(path);
        }
        if self.options.keep_background {
            command = command.keep_background();
        }
        let execution = match timeout(limit, self.backend.exec(command)).await {
            Ok(Ok(execution)) => execution,
            Ok(Err(error)) => {
                let moved = self.options.keep_cwd.then(|| cwd::kept(&state)).flatten();
                let gone = matches!(
                    error.kind(),
                    BackendErrorKind::NotFound | BackendErrorKind::NotADirectory | BackendErrorKind::PermissionDenied
                );
                if let Some(path) = moved.filter(|path| gone && error.path() == path) {
                    cwd::forget(&state);
                    return Err(ToolError::failed(format!(
                        "the directory `{path}` of the last command is not usable any more, so this one did not run; the next one starts in the directory of the first"
                    )));
                }
                return Err(ToolError::failed(error.to_string()));
            }
            Err(_) => {
                return Err(ToolError::failed(format!(
                    "the environment did not start the command within {} ms; try again",
                    limit.as_millis()
                )));
            }
        };
        let running = Running::new(execution, started, limit, self.options.output_limit);
        Ok(match mark {
            Some(mark) => running.keeping(mark, state),
            None => running,
        })
    }

    /// The directory that commands run in, unless it is the environment's own.
    fn chosen_cwd(&self, state: &AgentState) -> Option<String> {
        let kept = self.options.keep_cwd.then(|| cwd::kept(state)).flatten();
        kept.or_else(|| self.options.cwd.clone())
    }

    async fn found(&self) -> Result<&Found, ToolError> {
        self.found.get_or_try_init(|| Found::ask(&*self.backend)).await
    }
}
