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
        let late = self.left().is_zero();
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
        let grace = if self.grace.load(Ordering::Relaxed) { self.limit / 4 } else { Duration::ZERO };
        self.limit.saturating_add(grace).saturating_sub(self.start.elapsed())
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

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[tokio::test]
    async fn work_is_told_to_stop_when_nobody_waits_for_it() {
        let watch = Arc::new(Watch::new(Duration::from_secs(600)));
        let (sender, receiver) = mpsc::channel();
        let work = blocking(&watch, move |watch| {
            while !watch.stops() {
                thread::sleep(Duration::from_millis(1));
            }
            let _ = sender.send(watch.note());
        });
        assert!(tokio::time::timeout(Duration::from_millis(20), work).await.is_err());
        // Nobody is told that the time is over, since it is not.
        assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(None));
    }

    #[test]
    fn a_watch_that_is_over_gives_some_time_to_show_what_was_found() {
        let watch = Watch::new(Duration::from_millis(400));
        assert!(!watch.stops() && watch.note().is_none());
        thread::sleep(Duration::from_millis(410));
        assert!(watch.stops());
        watch.begin_grace();
        assert!(!watch.stops());
        assert!(watch.note().is_some_and(|note| note.contains("stopped after 0.4 s")));
    }

    #[test]
    fn without_a_runtime_the_work_is_done_here() {
        let watch = Arc::new(Watch::new(Duration::MAX));
        let mut work = Box::pin(blocking(&watch, |watch| watch.stops()));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        let done = work.as_mut().poll(&mut context);
        assert!(matches!(done, std::task::Poll::Ready(Ok(false))));
    }
}
