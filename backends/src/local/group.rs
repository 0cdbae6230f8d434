//! A group of processes: a program and what it started.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// The processes of one execution.
///
/// The number of a group is that of its first process, and free again when the last of its processes is gone. Between
/// finding the group alive and signalling it lie microseconds, in which the number would have to be given to another
/// process that leads a group as well; there is no way to rule that out, as there is for a single process.
#[derive(Debug)]
pub(super) struct Group {
    leader: Pid,
    over: AtomicBool,
}

impl Group {
    pub(super) fn new(leader: Pid) -> Self {
        Self { leader, over: AtomicBool::new(false) }
    }

    /// Whether a process of the group is left, be it one that has ended and waits for its parent to notice.
    pub(super) fn is_alive(&self) -> bool {
        !self.is_over() && test_kill_process_group(self.leader) != Err(rustix::io::Errno::SRCH)
    }

    /// Whether a process of the group still runs. Where nobody takes notice of those that have ended, as in a container
    /// whose first process is not made for that, they are in the group for ever. Looks at all processes: this may block.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub(super) fn runs(&self) -> bool {
        // Without a list of processes nothing is known, and the group counts as what it seems.
        let Ok(processes) = std::fs::read_dir("/proc") else { return true };
        let leader = self.leader.to_string();
        processes.flatten().any(|process| {
            let stat = std::fs::read(process.path().join("stat")).unwrap_or_default();
            // The name of the program may hold anything, and ends at the last parenthesis.
            let mut fields =
                stat.rsplit(|byte| *byte == b')').next().unwrap_or_default().split(u8::is_ascii_whitespace);
            let (state, group) = (fields.nth(1), fields.nth(1));
            group == Some(leader.as_bytes()) && !matches!(state, Some(b"Z" | b"X"))
        })
    }

    /// Other systems take notice of those that have ended.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub(super) fn runs(&self) -> bool {
        self.is_alive()
    }

    /// Asks all processes to end.
    pub(super) fn ask(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends all processes.
    pub(super) fn force(&self) {
        self.signal(Signal::KILL);
    }

    /// From now on the group is left alone.
    pub(super) fn leave(&self) {
        self.over.store(true, Ordering::Release);
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn signal(&self, signal: Signal) {
        if !self.is_over() {
            // Those that are gone already are no failure.
            let _ = kill_process_group(self.leader, signal);
        }
    }
}

/// Ends a group at once when whoever looks after it is gone, for example with its runtime.
pub(super) struct ForceOnDrop(pub(super) Arc<Group>);

impl Drop for ForceOnDrop {
    fn drop(&mut self) {
        self.0.force();
    }
}

/// Asks a group to end as soon as nobody wants its output any more.
pub(super) struct AskOnDrop(pub(super) Arc<Group>);

impl Drop for AskOnDrop {
    fn drop(&mut self) {
        self.0.ask();
    }
}
