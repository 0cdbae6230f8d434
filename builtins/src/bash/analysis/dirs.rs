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
    ///
    /// The shell takes `..` for the name before it, and files are found by where links really lead, so both count.
    pub(crate) fn entered(&self, directory: &str) -> Self {
        let start = [String::new()];
        let from = match &self.0 {
            _ if directory.starts_with('/') => &start[..],
            Some(dirs) => dirs,
            None => return Self::unknown(),
        };
        let mut all: Vec<String> = Vec::with_capacity(from.len());
        for dir in from {
            let entered = path::join(dir, directory);
            for dir in [without_parents(&entered), entered] {
                if !all.contains(&dir) {
                    all.push(dir);
                }
            }
        }
        if all.len() > MOST { Self::unknown() } else { Self(Some(all)) }
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

/// The path with each `..` taken for the name before it.
fn without_parents(path: &str) -> String {
    if !path.contains("..") {
        return path.to_owned();
    }
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            ".." if names.last().is_some_and(|last| !matches!(*last, ".." | ".")) => {
                names.pop();
                if names.is_empty() && path.starts_with('/') {
                    names.push("");
                }
            }
            "" if !names.is_empty() => {}
            "." => {}
            name => names.push(name),
        }
    }
    match names[..] {
        [""] => "/".to_owned(),
        _ => names.join("/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_is_what_the_shell_takes_for_it_or_what_the_link_says() {
        let entered = |steps: &[&str]| steps.iter().fold(Dirs::start(), |dirs, step| dirs.entered(step)).resolve("f");
        let all = |paths: &[&str]| Some(paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>());
        assert_eq!(entered(&["a"]), all(&["a/f"]));
        assert_eq!(entered(&["a", "b"]), all(&["a/b/f"]));
        assert_eq!(entered(&["a", ".."]), all(&["f", "a/../f"]));
        assert_eq!(entered(&[".."]), all(&["../f"]));
        assert_eq!(entered(&["/a/.."]), all(&["/f", "/a/../f"]));
        assert_eq!(entered(&["/.."]), all(&["/f", "/../f"]));
        assert_eq!(entered(&["a", "/b"]), all(&["/b/f"]));
        assert_eq!(Dirs::unknown().entered("a").resolve("f"), None);
        assert_eq!(Dirs::unknown().entered("/a").resolve("f"), all(&["/a/f"]));
    }
}
