//! Paths as text, in the style of POSIX: what can be said of them without looking at a file.

/// Whether the path starts at the root.
#[must_use]
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/')
}

/// The path as seen from the directory `base`; an absolute one stays as it is.
///
/// ```
/// use agentscope_tool::backend::path::join;
///
/// assert_eq!(join("/srv", "a/b"), "/srv/a/b");
/// assert_eq!(join("/srv/", "a"), "/srv/a");
/// assert_eq!(join("/srv", "/etc"), "/etc");
/// assert_eq!(join("", "a"), "a");
/// ```
#[must_use]
pub fn join(base: &str, path: &str) -> String {
    if is_absolute(path) || base.is_empty() {
        return path.into();
    }
    let slash = if base.ends_with('/') { "" } else { "/" };
    format!("{base}{slash}{path}")
}

/// The path without its last name: `None` for the root and for the empty path, the empty path for a single name.
///
/// ```
/// use agentscope_tool::backend::path::parent;
///
/// assert_eq!(parent("/srv/a/"), Some("/srv"));
/// assert_eq!(parent("/srv"), Some("/"));
/// assert_eq!(parent("a"), Some(""));
/// assert_eq!(parent("/"), None);
/// ```
#[must_use]
pub fn parent(path: &str) -> Option<&str> {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rfind('/') {
        _ if trimmed.is_empty() => None,
        None => Some(""),
        Some(at) => {
            let parent = trimmed[..at].trim_end_matches('/');
            Some(if parent.is_empty() { "/" } else { parent })
        }
    }
}

/// The last name of the path: `None` where it has none, as `/`, `.` and `a/..`.
///
/// ```
/// use agentscope_tool::backend::path::file_name;
///
/// assert_eq!(file_name("/srv/a.txt"), Some("a.txt"));
/// assert_eq!(file_name("a/b/"), Some("b"));
/// assert_eq!(file_name("a/.."), None);
/// ```
#[must_use]
pub fn file_name(path: &str) -> Option<&str> {
    let trimmed = path.trim_end_matches('/');
    let name = &trimmed[trimmed.rfind('/').map_or(0, |at| at + 1)..];
    (!matches!(name, "" | "." | "..")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_its_parent_and_its_name() {
        for path in ["/a", "/a/b", "a", "a/b", "a//b/", "//a", "ä/ö"] {
            let joined = join(parent(path).unwrap(), file_name(path).unwrap());
            assert_eq!(joined.trim_start_matches('/'), path.trim_matches('/').replace("//", "/"), "{path}");
            assert_eq!(is_absolute(&joined), is_absolute(path));
        }
        assert_eq!((parent(""), file_name(""), file_name("/"), parent("//")), (None, None, None, None));
    }
}
