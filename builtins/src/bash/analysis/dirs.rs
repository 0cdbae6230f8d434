//! The directories in which a command may start.

use agentscope_tool::backend::path;

/// The directories, each as seen from the one in which the whole text starts; nothing when they are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dirs(Option<Vec<String>>);

/// How many are told apart.
const MOST: usize = 4;

impl Dirs {
    /// Where the whole text starts.
    pub(crate) fn start() -> Self {
        Self(Some(vec![String::new()]))
    }

    pub(crate) fn unknown() -> Self {
        Self(None)
    }

    /// After a `cd` to this directory that has worked.
    pub(crate) fn entered(&self, directory: &str) -> Self {
        Self(self.0.as_ref().map(|dirs| dirs.iter().map(|dir| path::join(dir, directory)).collect()))
    }

    /// One of these or one of those.
    pub(crate) fn or(&self, other: &Self) -> Self {
        let (Some(these), Some(those)) = (&self.0, &other.0) else { return Self::unknown() };
        let mut all = these.clone();
        all.extend(those.iter().filter(|dir| !these.contains(dir)).cloned());
        if all.len() > MOST { Self::unknown() } else { Self(Some(all)) }
    }

    /// A path as seen from where the whole text starts, once for each directory; nothing when they are not known and the path
    /// depends on them.
    pub(crate) fn resolve(&self, path: &str) -> Option<Vec<String>> {
        match &self.0 {
            _ if path.starts_with('/') => Some(vec![path.to_owned()]),
            Some(dirs) => Some(dirs.iter().map(|dir| path::join(dir, path)).collect()),
            None => None,
        }
    }
}
