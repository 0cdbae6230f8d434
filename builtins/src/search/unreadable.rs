//! What could not be read: not a reason to fail, but to be said.

use super::name;

/// How many of them are named.
const NAMED: usize = 3;

/// The files and directories that could not be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unreadable {
    count: u64,
    named: Vec<(Vec<u8>, String)>,
}

impl Unreadable {
    /// Takes one, with the reason.
    pub(crate) fn push(&mut self, path: &[u8], reason: impl Into<String>) {
        self.count += 1;
        self.named.push((path.to_owned(), reason.into()));
        self.shrink();
    }

    /// Takes those of another part of the search.
    pub(crate) fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.named.extend(other.named);
        self.shrink();
    }

    /// Which are named depends on their paths alone, not on which thread was the first.
    fn shrink(&mut self) {
        self.named.sort();
        self.named.truncate(NAMED);
    }

    /// What to say of them; `what` is one of them, `plural` are several.
    pub(crate) fn note(&self, what: &str, plural: &str) -> Option<String> {
        let named: Vec<_> =
            self.named.iter().map(|(path, reason)| format!("`{}` ({reason})", name::shown(path))).collect();
        let rest = self.count - self.named.len() as u64;
        let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let what = if self.count == 1 { what } else { plural };
        (self.count > 0).then(|| format!("{} {what} could not be read: {}{rest}", self.count, named.join(", ")))
    }

    /// Takes an error of a walk; that something is gone since it was listed is none.
    pub(crate) fn push_walk(&mut self, error: &ignore::Error) {
        let mut path: &[u8] = b"?";
        let mut inner = error;
        loop {
            inner = match inner {
                ignore::Error::WithPath { path: at, err } => {
                    path = at.as_os_str().as_encoded_bytes();
                    err
                }
                ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
                _ => break,
            };
        }
        match error.io_error() {
            Some(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Some(error) => self.push(path, reason(error)),
            None => self.push(path, inner.to_string()),
        }
    }
}

/// The error in short words.
pub(crate) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_few_are_named_whatever_their_order() {
        let mut some = Unreadable::default();
        let mut others = Unreadable::default();
        for path in ["e", "b", "d"] {
            some.push(path.as_bytes(), "permission denied");
        }
        others.push(b"a\xff", "gone");
        others.push(b"c", "gone");
        some.merge(others);
        insta::assert_snapshot!(
            some.note("file", "files").unwrap(),
            @r"5 files could not be read: `a\xFF` (gone), `b` (permission denied), `c` (gone) and 2 more"
        );
        assert_eq!(Unreadable::default().note("file", "files"), None);
    }
}
