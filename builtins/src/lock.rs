//! One writer of a file at a time.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

type Locks = Mutex<HashMap<String, Weak<tokio::sync::Mutex<()>>>>;

/// The locks of the files that are being written, by canonical path.
static LOCKS: LazyLock<Locks> = LazyLock::new(Locks::default);

/// Waits until no other tool of this process reads and then writes this file, and keeps them from it until the guard is
/// dropped. Two files of one path in two environments share a lock, which costs a wait and nothing else.
pub(crate) async fn exclusive(path: &str) -> OwnedMutexGuard<()> {
    let lock = {
        let mut locks = LOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let known = locks.get(path).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            locks.retain(|_, lock| lock.strong_count() > 0);
            let lock = Arc::default();
            locks.insert(path.to_owned(), Arc::downgrade(&lock));
            lock
        })
    };
    lock.lock_owned().await
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_file_has_one_writer_and_others_do_not_wait_for_it() {
        let guard = exclusive("/lock/a").await;
        assert!(exclusive("/lock/a").now_or_never().is_none());
        assert!(exclusive("/lock/b").now_or_never().is_some());
        drop(guard);
        assert!(exclusive("/lock/a").now_or_never().is_some());
    }

    #[tokio::test]
    async fn locks_that_nobody_holds_are_forgotten() {
        for n in 0..100 {
            drop(exclusive(&format!("/lock/many/{n}")).await);
        }
        let many = |path: &&String| path.starts_with("/lock/many");
        assert!(LOCKS.lock().unwrap().keys().filter(many).count() <= 1);
    }
}
