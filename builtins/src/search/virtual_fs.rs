//! The directories whose files are no files: reading some of them waits for ever, and there is no end to others.

/// Their names, directly below the root.
pub(crate) const NAMES: [&str; 3] = ["dev", "proc", "sys"];

/// Whether this absolute path is one of them. They are searched if the search begins there or below.
pub(crate) fn is_virtual(path: &[u8]) -> bool {
    path.strip_prefix(b"/").is_some_and(|name| NAMES.iter().any(|known| known.as_bytes() == name))
}

/// What to say of a search that begins at `root` and goes deeper than its names.
pub(crate) fn note(root: &str) -> Option<String> {
    (root == "/").then(|| "`/dev`, `/proc` and `/sys` were left out; name them in `path` to search them".into())
}
