//! Patterns for paths: `src/**/*.{ts,tsx}`, `[ab]?.txt`, `/etc/*.conf`.
//!
//! They are translated to regular expressions over text, since those of the `globset` crate look at bytes: there, `?`
//! does not match `é`.

mod translate;

use std::borrow::Cow;
use std::fmt;

use regex::Regex;
pub(crate) use translate::{Problem, split};

/// A compiled pattern for paths.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// Whether it starts at the root.
    absolute: bool,
    /// The leading names without wildcards: the directory in which to look.
    prefix: String,
    /// How deep below that directory a match can lie; `None` if at any depth.
    depth: Option<usize>,
    /// How every match ends, which is quickly compared.
    suffix: String,
    regex: Regex,
}

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    pattern: String,
    problem: Problem,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the pattern `{}` is not valid: {}", self.pattern.escape_debug(), self.problem)
    }
}

impl Pattern {
    /// Compiles a pattern. Empty names and `.` mean nothing and are dropped.
    pub(crate) fn new(pattern: &str) -> Result<Self, PatternError> {
        Self::compile(pattern, None)
    }

    /// Compiles a pattern that matches in any directory if it is a single name, as in a `.gitignore` file.
    pub(crate) fn anywhere(pattern: &str) -> Result<Self, PatternError> {
        Self::compile(pattern, Some("**"))
    }

    fn compile(pattern: &str, before_single: Option<&'static str>) -> Result<Self, PatternError> {
        let error = |problem| PatternError { pattern: pattern.into(), problem };
        let mut names = split(pattern, '/').map_err(error)?;
        let below = pattern.ends_with('/') && names.iter().any(|name| !name.is_empty());
        let anchored = names.len() > 1 && !(below && names.len() == 2);
        names.retain(|name| !matches!(*name, "" | "."));
        if names.contains(&"..") {
            return Err(error(Problem::Parent));
        }
        if names.is_empty() {
            return Err(error(Problem::Empty));
        }
        if below && before_single.is_some() {
            names.push("**");
        }
        if let Some(before) = before_single.filter(|_| !anchored) {
            names.insert(0, before);
        }

        let is_plain = |name: &&str| !name.contains(['*', '?', '[', '{', '\\']);
        let plain = names[..names.len() - 1].iter().take_while(|name| is_plain(name)).count();
        let (prefix, rest) = names.split_at(plain);
        let any_depth = rest.iter().any(|name| name.contains("**") || name.contains('/'));
        let regex = translate::regex(&rest.join("/")).map_err(error)?;
        Ok(Self {
            absolute: pattern.starts_with('/'),
            prefix: prefix.join("/"),
            depth: (!any_depth).then_some(rest.len()),
            suffix: names.last().map(|name| plain_end(name).to_owned()).unwrap_or_default(),
            regex,
        })
    }

    /// Where matches can lie, seen from the directory in which the search begins.
    pub(crate) fn root(&self, base: &str) -> String {
        let base = if self.absolute { "/" } else { base };
        let slash = if base.ends_with('/') || self.prefix.is_empty() { "" } else { "/" };
        format!("{base}{slash}{}", self.prefix)
    }

    /// Whether the pattern starts at the root, wherever the search begins.
    pub(crate) fn is_absolute(&self) -> bool {
        self.absolute
    }

    /// How deep below [`root`](Self::root) a match can lie, its name included.
    pub(crate) fn depth(&self) -> Option<usize> {
        self.depth
    }

    /// Whether a path matches, as seen from [`root`](Self::root).
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        path.ends_with(self.suffix.as_bytes()) && self.regex.is_match(&lossy(path))
    }

    /// Whether a path matches, as seen from the directory in which the search begins.
    pub(crate) fn matches_from_base(&self, path: &[u8]) -> bool {
        if self.prefix.is_empty() {
            return self.matches(path);
        }
        let rest = path.strip_prefix(self.prefix.as_bytes()).and_then(|rest| rest.strip_prefix(b"/"));
        rest.is_some_and(|rest| self.matches(rest))
    }
}

/// The characters at the end of a name that stand for themselves, as far as that is plain to see.
fn plain_end(name: &str) -> &str {
    if name.contains(['[', '{', '\\']) {
        return "";
    }
    name.rfind(['*', '?']).map_or(name, |at| &name[at + 1..])
}

/// The path as text, with something that is one character in place of what is none.
fn lossy(path: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(path)
}

#[cfg(test)]
mod tests;
