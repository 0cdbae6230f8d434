//! What keeps a search from running on: its time limit, and that nobody waits for it any more.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use agentscope_tool::ToolError;
use tokio::runtime::Handle;

/// Asked now and then by whoever searches.
#[derive(Debug)]
pub(crate) struct Watch {
    cancelled: AtomicBool,
    late: AtomicBool,
    /// Whether only what was found is still to be shown.
    grace: AtomicBool,
    start: Instant,
    limit: Duration,
}

impl Watch {
    /// A watch that starts now.
    pub(crate) fn new(limit: Duration) -> Self {
        let flag = || AtomicBool::new(false);
        Self { cancelled: flag(), late: flag(), grace: flag(), start: Instant::now(), limit }
    }

    /// Whether to stop.
    pub(crate) fn stops(&self) -> bool {
        if self.cancelled.load(Ordering::Relaxed) {
            return true;
        }
        let grace = if self.grace.load(Ordering::Relaxed) { self.limit / 4 } else { Duration::ZERO };
        let late = self.start.elapsed() >= self.limit.saturating_add(grace);
        if late {
            self.late.store(true, Ordering::Relaxed);
        }
        late
    }

    /// From now on a quarter more time may pass: what was found in time should be shown.
    pub(crate) fn begin_grace(&self) {
        self.grace.store(true, Ordering::Relaxed);
    }

    /// How much time is left.
    pub(crate) fn left(&self) -> Duration {
        self.limit.saturating_sub(self.start.elapsed())
    }

    /// Says that the time is over.
    pub(crate) fn is_over(&self) {
        self.late.store(true, Ordering::Relaxed);
    }

    /// What to say of a search that was stopped because its time was over.
    pub(crate) fn note(&self) -> Option<String> {
        let limit = self.limit.as_secs_f64();
        self.late.load(Ordering::Relaxed).then(|| {
            format!("the search was stopped after {limit} s and is not complete; name a narrower path or pattern")
        })
    }
}

/// Sets the flag when the call is dropped.
struct CancelOnDrop(Arc<Watch>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancelled.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` on a blocking thread of the runtime, or here if there is no runtime. It is told to stop when this future is
/// dropped.
///
/// # Errors
/// When the runtime shuts down.
///
/// # Panics
/// When `work` does.
pub(crate) async fn blocking<T: Send + 'static>(
    watch: &Arc<Watch>,
    work: impl FnOnce(&Watch) -> T + Send + 'static,
) -> Result<T, ToolError> {
    let Ok(runtime) = Handle::try_current() else { return Ok(work(watch)) };
    let _guard = CancelOnDrop(Arc::clone(watch));
    let watch = Arc::clone(watch);
    match runtime.spawn_blocking(move || work(&watch)).await {
        Ok(result) => Ok(result),
        Err(error) => match error.try_into_panic() {
            Ok(payload) => panic::resume_unwind(payload),
            Err(_) => Err(ToolError::Interrupted),
        },
    }
}
