//! One writer at a time for each file, so that calls that run together do not undo each other's work.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use agentscope_tool::Backend;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// Where a file is, and its path there without links.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Place {
    /// The address of the backend; 0 for this machine, whose files are the same behind all of its backends.
    backend: usize,
    path: String,
}

type Locks = HashMap<Place, Arc<AsyncMutex<()>>>;

/// The files that somebody writes to, or waits for.
static LOCKS: LazyLock<Mutex<Locks>> = LazyLock::new(Mutex::default);

/// The sole right of the tools in this process to write to a file, until it is dropped.
///
/// Other processes are not held off, and neither are backends that reach the same environment in another way; of their
/// changes [`WriteOptions::unchanged_since`](agentscope_tool::backend::WriteOptions::unchanged_since) takes care.
#[must_use]
#[derive(Debug)]
pub(crate) struct FileLock {
    // Let go of before the claim looks who else is there.
    _guard: OwnedMutexGuard<()>,
    _claim: Claim,
}

impl FileLock {
    /// Waits for the others at that path, which has no links.
    pub(crate) async fn acquire(backend: &Arc<dyn Backend>, path: &str) -> Self {
        let backend = match backend.local_root() {
            Some(_) => 0,
            None => Arc::as_ptr(backend).cast::<()>() as usize,
        };
        let claim = Claim::new(Place { backend, path: path.to_owned() });
        let guard = Arc::clone(&claim.lock).lock_owned().await;
        Self { _guard: guard, _claim: claim }
    }
}

/// A place in the queue; the last one to leave takes the entry away.
#[derive(Debug)]
struct Claim {
    place: Place,
    lock: Arc<AsyncMutex<()>>,
}

impl Claim {
    fn new(place: Place) -> Self {
        let lock = Arc::clone(locks().entry(place.clone()).or_default());
        Self { place, lock }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut locks = locks();
        // The table's and this one: nobody gets a further one while the table is locked.
        if Arc::strong_count(&self.lock) == 2 {
            locks.remove(&self.place);
        }
    }
}

fn locks() -> std::sync::MutexGuard<'static, Locks> {
    LOCKS.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use agentscope_tool::testing::MemoryBackend;
    use futures_util::FutureExt;

    use super::*;

    fn backend() -> Arc<dyn Backend> {
        Arc::new(MemoryBackend::new())
    }

    fn waiting_at(path: &str) -> usize {
        locks().iter().filter(|(place, _)| place.path == path).count()
    }

    #[tokio::test]
    async fn one_at_a_time_gets_a_file_and_nothing_is_left_behind() {
        let backend = backend();
        let inside = Arc::new(AtomicUsize::new(0));
        let tasks = (0..20).map(|_| {
            let (backend, inside) = (Arc::clone(&backend), Arc::clone(&inside));
            tokio::spawn(async move {
                let _lock = FileLock::acquire(&backend, "/one").await;
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                tokio::time::sleep(Duration::from_millis(1)).await;
                inside.fetch_sub(1, Ordering::SeqCst);
            })
        });
        for task in futures_util::future::join_all(tasks).await {
            task.unwrap();
        }
        assert_eq!(waiting_at("/one"), 0);
    }

    #[tokio::test]
    async fn other_files_and_other_environments_do_not_wait() {
        let (here, there) = (backend(), backend());
        let _lock = FileLock::acquire(&here, "/two").await;
        assert!(FileLock::acquire(&here, "/three").now_or_never().is_some());
        assert!(FileLock::acquire(&there, "/two").now_or_never().is_some());
        assert!(FileLock::acquire(&here, "/two").now_or_never().is_none());
    }

    #[tokio::test]
    async fn whoever_stops_waiting_leaves_nothing_behind() {
        let backend = backend();
        let lock = FileLock::acquire(&backend, "/four").await;
        assert!(FileLock::acquire(&backend, "/four").now_or_never().is_none());
        drop(lock);
        assert_eq!(waiting_at("/four"), 0);
        assert!(FileLock::acquire(&backend, "/four").now_or_never().is_some());
    }
}
