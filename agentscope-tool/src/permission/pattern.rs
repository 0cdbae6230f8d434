//! Path patterns of permission rules: `src/**`, `~/.ssh/*`, `/w/[[]id]/page.tsx`.
//!
//! A pattern is compiled once, when its rule is added. It is compared name by name, so that nothing but `**` crosses a
//! `/`. Its leading names without wildcards are its base: that part is a directory of the environment, whose links the
//! caller may resolve before comparing.
//!
//! | Written | Stands for |
//! | --- | --- |
//! | `/a`, `~/a`, `a` or `./a` | a path from the root, the home directory, or each anchor |
//! | `*`, `?` | any text, any one character, within a name; a leading `.` is nothing special |
//! | `[a-z]`, `[!a-z]` or `[^a-z]` | one of the characters, or none of them |
//! | `{a,b}` | one of the alternatives, which hold no `/` |
//! | `**` as a whole component | any number of names; at the end, at least one |
//! | `a/` | the same as `a/**` |
//! | `\*` | the character itself |

mod component;
mod error;
#[cfg(test)]
mod tests;

use component::Component;
pub use error::PatternError;
use error::Problem;

/// How many components may follow from the first wildcard on. With the name behind a last `**`, and the end, these are
/// the states of a comparison; they fit into 128 bits.
const MAX_TAIL: usize = 126;

/// A compiled path pattern.
#[derive(Clone, Debug)]
pub(crate) struct PathPattern {
    start: Start,
    /// The names before the first wildcard, with `.` and `..` folded; `..` is left where it leads above the start.
    base: Vec<String>,
    /// The rest. No two `**` follow each other, and none is the last.
    tail: Vec<Component>,
}

/// Where a pattern starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Root,
    Home,
    Anchor,
}

impl PathPattern {
    /// Compiles the text of a rule.
    ///
    /// # Errors
    /// If it is empty, or means nothing certain: see [`PatternError`].
    pub(crate) fn parse(content: &str) -> Result<Self, PatternError> {
        if content.trim().is_empty() {
            return Err(PatternError::new(0, Problem::Empty));
        }
        if let Some((at, c)) = content.char_indices().find(|(_, c)| c.is_control()) {
            return Err(PatternError::new(at, Problem::Control(c)));
        }
        let (start, mut offset) = match content.chars().next() {
            Some('~') if below_home(content).is_some() => (Start::Home, 1),
            Some('~') => return Err(PatternError::new(0, Problem::OtherHome)),
            Some('/') => (Start::Root, 0),
            _ => (Start::Anchor, 0),
        };
        let mut pattern = PathPattern { start, base: Vec::new(), tail: Vec::new() };
        for text in content[offset..].split('/') {
            pattern.push(Component::parse(content, offset, text)?, offset)?;
            offset += text.len() + 1;
        }
        if content.ends_with('/') {
            pattern.push(Component::AnyDepth, content.len())?;
        }
        // `a/**` is not `a` itself.
        if let Some(Component::AnyDepth) = pattern.tail.last() {
            pattern.tail.push(Component::Any);
        }
        Ok(pattern)
    }

    fn push(&mut self, component: Component, offset: usize) -> Result<(), PatternError> {
        match (component, self.tail.last()) {
            (Component::Literal(name), _) if name.is_empty() || name == "." => {}
            (Component::Literal(name), None) if name == ".." => match self.base.last() {
                Some(last) if last != ".." => drop(self.base.pop()),
                None if self.start == Start::Root => {}
                _ => self.base.push(name),
            },
            (Component::Literal(name), Some(_)) if name == ".." => {
                return Err(PatternError::new(offset, Problem::ParentOfWildcard));
            }
            (Component::Literal(name), None) => self.base.push(name),
            (Component::AnyDepth, Some(Component::AnyDepth)) => {}
            _ if self.tail.len() == MAX_TAIL => {
                return Err(PatternError::new(offset, Problem::TooDeep { limit: MAX_TAIL }));
            }
            (component, _) => self.tail.push(component),
        }
        Ok(())
    }

    /// The directories that the pattern's base is, absolute and folded: one of an absolute pattern, one for each anchor
    /// of a relative one, and one or none for a pattern below the home directory.
    pub(crate) fn bases(&self, anchors: &[&str], home: Option<&str>) -> Vec<String> {
        let below = |start: &str| fold(&format!("{start}/{}", self.base.join("/")));
        match self.start {
            Start::Root => vec![below("")],
            Start::Home => home.into_iter().map(below).collect(),
            Start::Anchor => anchors.iter().copied().map(below).collect(),
        }
    }

    /// Whether the pattern starts at the home directory.
    pub(crate) fn starts_at_home(&self) -> bool {
        self.start == Start::Home
    }

    /// Whether the pattern at this base is `path`, which is absolute and folded.
    pub(crate) fn matches(&self, base: &str, path: &str) -> bool {
        below(base, path).is_some_and(|rest| self.live(rest) & self.end() != 0)
    }

    /// Whether a rule that forbids or asks concerns `path`: as [`matches`](Self::matches), but a pattern whose last name
    /// has no wildcards means what lies below that as well. `/home/*/.ssh` concerns a key in there.
    pub(crate) fn hits(&self, base: &str, path: &str) -> bool {
        below(base, path).is_some_and(|rest| self.hits_rest(rest))
    }

    fn hits_rest(&self, rest: &str) -> bool {
        match self.tail.last() {
            None => true,
            Some(Component::Literal(_)) => {
                // The states are carried from name to name: a path may be as long as a model makes it.
                let mut live = self.skip_any_depth(1);
                names(rest).any(|name| {
                    live = self.step(live, name);
                    live & self.end() != 0
                })
            }
            Some(_) => self.live(rest) & self.end() != 0,
        }
    }

    /// Whether the pattern surely matches every path below the directory `tree`, and with `root_too` itself as well.
    pub(crate) fn covers_tree(&self, base: &str, tree: &str, root_too: bool) -> bool {
        let Some(rest) = below(base, tree) else { return false };
        let live = self.live(rest);
        // Which numbers of further names are matched whatever they are: the ones in `lengths`, and from `all_from` on.
        let (mut lengths, mut all_from) = (0_u128, None);
        let (mut names, mut any_depth) = (0, false);
        for state in (0..=self.tail.len()).rev() {
            match self.tail.get(state) {
                None => {}
                Some(Component::Any) => names += 1,
                Some(Component::AnyDepth) => any_depth = true,
                Some(_) => break,
            }
            if live >> state & 1 == 1 {
                lengths |= 1 << names;
                if any_depth {
                    all_from = Some(all_from.unwrap_or(names).min(names));
                }
            }
        }
        let least = if root_too { 0 } else { 1 };
        all_from.is_some_and(|all_from| (least..all_from).all(|length| lengths >> length & 1 == 1))
    }

    /// Whether the pattern could hit a path in the directory `tree`, itself included: what [`hits`](Self::hits) says of
    /// any such path is not more than this.
    pub(crate) fn may_touch_tree(&self, base: &str, tree: &str) -> bool {
        match below(base, tree) {
            Some(rest) => self.hits_rest(rest) || self.live(rest) != 0,
            None => below(tree, base).is_some(),
        }
    }

    /// The state in which the whole pattern was seen.
    fn end(&self) -> u128 {
        1 << self.tail.len()
    }

    /// The states that remain after all names of `rest`. State `n`, a bit of the result, is "the next name is for
    /// component `n` of the tail".
    fn live(&self, rest: &str) -> u128 {
        let mut live = self.skip_any_depth(1);
        for name in names(rest) {
            live = self.step(live, name);
            if live == 0 {
                break;
            }
        }
        live
    }

    /// The states after one more name.
    fn step(&self, live: u128, name: &str) -> u128 {
        let mut next = 0;
        for (state, component) in self.tail.iter().enumerate() {
            if live >> state & 1 == 1 && component.is_match(name) {
                next |= match component {
                    Component::AnyDepth => 1 << state,
                    _ => 1 << (state + 1),
                };
            }
        }
        self.skip_any_depth(next)
    }

    /// The states, and those behind a `**` that stands for nothing.
    fn skip_any_depth(&self, mut live: u128) -> u128 {
        for (state, component) in self.tail.iter().enumerate() {
            if let Component::AnyDepth = component {
                live |= (live >> state & 1) << (state + 1);
            }
        }
        live
    }
}

/// The pattern that matches exactly `path`, an absolute and folded one.
///
/// A path with control characters has none; its escaped form is refused.
pub(crate) fn escape(path: &str) -> String {
    // A `/` at the end would mean everything below.
    let path = path.trim_end_matches('/');
    if path.is_empty() {
        return "/.".to_owned();
    }
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            '[' | '*' | '?' | '{' => pattern.extend(['[', c, ']']),
            '\\' => pattern.push_str(r"\\"),
            c => pattern.push(c),
        }
    }
    pattern
}

/// An absolute path without `.`, `..`, `//` and `/` at its end, by its text alone: links are not followed.
pub(crate) fn fold(path: &str) -> String {
    let mut folded: Vec<&str> = Vec::new();
    for name in names(path) {
        match name {
            "." => {}
            ".." => drop(folded.pop()),
            name => folded.push(name),
        }
    }
    format!("/{}", folded.join("/"))
}

/// What follows after the home directory in a path that starts there: `~` or `~/…`.
pub(crate) fn below_home(path: &str) -> Option<&str> {
    path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// What follows after the directory `base` in `path`, which is it or lies below it.
pub(crate) fn below<'a>(base: &str, path: &'a str) -> Option<&'a str> {
    let rest = path.strip_prefix(base.trim_end_matches('/'))?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}
