//! Walking over this machine's directories.

use std::path::Path;
use std::thread;

use ignore::WalkBuilder;

/// How many entries are looked at before threads are worth their start.
pub(crate) const SMALL: usize = 512;
/// How many threads a search uses at most.
const MAX_THREADS: usize = 8;

/// A walk over everything below a directory: hidden files too, links not followed. With `gitignore`, what git would
/// ignore is left out.
pub(crate) fn builder(root: &Path, gitignore: bool) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder.standard_filters(false).follow_links(false);
    builder.git_ignore(gitignore).git_exclude(gitignore).parents(gitignore);
    builder
}

/// How many threads search.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS)
}

/// The path of an entry below the root of its walk, as bytes; empty for the root itself. Walks put the root in front of
/// every path as it was given.
pub(crate) fn below<'p>(root: &Path, path: &'p Path) -> &'p [u8] {
    let path = path.as_os_str().as_encoded_bytes();
    let rest = path.strip_prefix(root.as_os_str().as_encoded_bytes()).unwrap_or(path);
    rest.strip_prefix(b"/").unwrap_or(rest)
}
