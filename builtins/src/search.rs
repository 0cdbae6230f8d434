//! What Glob and Grep share: patterns for names, pages of results, and how a search is kept from running on.

pub(crate) mod filter;
pub(crate) mod find;
pub(crate) mod name;
pub(crate) mod newest;
pub(crate) mod page;
pub(crate) mod pattern;
pub(crate) mod place;
pub(crate) mod run;
pub(crate) mod unreadable;
pub(crate) mod virtual_fs;
pub(crate) mod walk;
pub(crate) mod watch;

use std::time::Duration;

/// What a search may cost, and how it is set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long it may take.
    pub(crate) time: Duration,
    /// How many bytes of results are shown.
    pub(crate) output: usize,
    /// Whether files that git ignores are left out.
    pub(crate) gitignore: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(30), output: 256 * 1024, gitignore: false }
    }
}
