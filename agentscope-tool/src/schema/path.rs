//! The place of a value inside the arguments, written as a model reads it: `filters[0].label`.

use std::fmt;

/// A place, kept on the stack while a value is walked; it costs nothing until it is written.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    /// The arguments themselves.
    pub(crate) const ROOT: Path<'static> = Path { parent: None, step: Step::Root };

    /// The member `key` of the value at `self`.
    pub(crate) fn key(&'a self, key: &'a str) -> Path<'a> {
        Path { parent: Some(self), step: Step::Key(key) }
    }

    /// The item `index` of the value at `self`.
    pub(crate) fn index(&'a self, index: usize) -> Path<'a> {
        Path { parent: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(parent) = self.parent else { return Ok(()) };
        parent.fmt(f)?;
        match self.step {
            Step::Root => Ok(()),
            Step::Index(index) => write!(f, "[{index}]"),
            Step::Key(key) if !is_plain(key) => write!(f, "[{key:?}]"),
            Step::Key(key) if parent.parent.is_none() => f.write_str(key),
            Step::Key(key) => write!(f, ".{key}"),
        }
    }
}

/// Whether `key` can stand in a path without quotes.
fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '@'))
}

#[cfg(test)]
mod tests {
    use super::Path;

    #[test]
    fn a_path_reads_like_an_expression() {
        let root = Path::ROOT;
        let filters = root.key("filters");
        let first = filters.index(0);
        assert_eq!(root.to_string(), "");
        assert_eq!(first.key("label").to_string(), "filters[0].label");
        assert_eq!(first.key("a b").to_string(), "filters[0][\"a b\"]");
        assert_eq!(root.key("").to_string(), "[\"\"]");
    }
}
