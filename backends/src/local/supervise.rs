//! Looking after a program until nothing of it is left.

use std::future;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agentscope_tool::backend::{BackendError, ExecEvent, ExecStatus, Operation};
use futures_util::future::join;
use tokio::process::{Child, ChildStderr, ChildStdout};
use tokio::select;
use tokio::sync::mpsc::Sender;
use tokio::task::spawn_blocking;
use tokio::time::{sleep, sleep_until, timeout};

use super::exec::Running;
use super::group::{ForceOnDrop, Group};
use super::pipe::{Item, Pipe};

/// How long what a program left behind may go on writing: for example `tee` behind a shell's `> >(tee …)`.
const LAST_WORDS: Duration = Duration::from_millis(250);
/// How long a group that was asked to end may take.
const GRACE: Duration = Duration::from_millis(500);
/// How long the system may take to end processes that are forced to. One that hangs in a driver takes longer, and one
/// whose new parent never asks for it seems to.
const FORCED: Duration = Duration::from_millis(250);

pub(super) struct Supervisor {
    child: Child,
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
    group: ForceOnDrop,
    channel: Sender<Item>,
    keep_background: bool,
}

enum End {
    Exited(std::io::Result<ExitStatus>),
    TimedOut,
    Dropped,
}

impl Supervisor {
    pub(super) fn new(running: Running, channel: Sender<Item>, keep_background: bool) -> Self {
        let Running { mut child, group } = running;
        let stdout = Pipe::new(child.stdout.take(), ExecEvent::Stdout);
        let stderr = Pipe::new(child.stderr.take(), ExecEvent::Stderr);
        Self { child, stdout, stderr, group, channel, keep_background }
    }

    pub(super) async fn run(mut self, deadline: Option<Instant>) {
        let end = self.follow(deadline).await;
        let item = match end {
            End::Exited(Ok(status)) => {
                self.finish().await;
                Ok(ExecEvent::Exit(meaning(status)))
            }
            End::TimedOut => {
                self.end(false).await;
                Ok(ExecEvent::Exit(ExecStatus::TimedOut))
            }
            End::Dropped => {
                self.end(false).await;
                return;
            }
            End::Exited(Err(error)) => {
                self.end(false).await;
                Err(BackendError::io(Operation::Execute, "", error).because("the system lost sight of the program"))
            }
        };
        self.stdout.drain(&self.channel).await;
        self.stderr.drain(&self.channel).await;
        // That nobody listens any more is no failure.
        let _ = self.channel.send(item).await;
    }

    /// Passes the output on until the program is over, by whatever cause.
    async fn follow(&mut self, deadline: Option<Instant>) -> End {
        let Self { child, stdout, stderr, channel, .. } = self;
        let time_over = async {
            match deadline {
                Some(deadline) => sleep_until(deadline.into()).await,
                None => future::pending().await,
            }
        };
        let pump = async {
            join(stdout.pump(channel), stderr.pump(channel)).await;
            future::pending().await
        };
        select! {
            biased;
            () = channel.closed() => End::Dropped,
            status = child.wait() => End::Exited(status),
            () = time_over => End::TimedOut,
            () = pump => End::Dropped,
        }
    }

    /// The program has ended by itself: hears what is still said, and ends what it left behind.
    async fn finish(&mut self) {
        let Self { stdout, stderr, channel, group, keep_background, .. } = self;
        if *keep_background {
            group.0.leave();
            return;
        }
        let last_words = async { join(stdout.pump(channel), stderr.pump(channel)).await };
        // Whoever reads slowly has all the time he needs: what the program itself wrote is in the pipe already.
        let _ = timeout(LAST_WORDS, last_words).await;
        self.end(true).await;
    }

    /// Ends the group, and goes on passing on what it says meanwhile.
    async fn end(&mut self, mut leader_is_over: bool) {
        let Self { child, stdout, stderr, channel, group, .. } = self;
        let group = &group.0;
        if leader_is_over && !group.is_alive() {
            group.leave();
            return;
        }
        group.ask();
        let pump = async {
            join(stdout.pump(channel), stderr.pump(channel)).await;
            future::pending::<()>().await
        };
        let in_time = select! {
            in_time = timeout(GRACE, gone(child, &mut leader_is_over, group)) => in_time.is_ok(),
            () = pump => false,
        };
        if !in_time {
            group.force();
            let _ = timeout(FORCED, gone(child, &mut leader_is_over, group)).await;
        }
        group.leave();
    }
}

/// Waits until nothing of a group is left.
async fn gone(child: &mut Child, leader_is_over: &mut bool, group: &Arc<Group>) {
    if !*leader_is_over {
        // Without the parent's notice, the group would seem alive for ever.
        let _ = child.wait().await;
        *leader_is_over = true;
    }
    let mut pause = Duration::from_millis(1);
    while group.is_alive() {
        sleep(pause).await;
        pause = (pause * 2).min(Duration::from_millis(50));
        let looked_at = Arc::clone(group);
        if matches!(spawn_blocking(move || looked_at.runs()).await, Ok(false)) {
            return;
        }
    }
}

fn meaning(status: ExitStatus) -> ExecStatus {
    match (status.code(), status.signal()) {
        (Some(code), _) => ExecStatus::Exited(code),
        (None, signal) => ExecStatus::Signaled(signal.unwrap_or_default()),
    }
}
