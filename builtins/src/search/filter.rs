//! Which files are searched: by globs, by type, and never a version control system's own.

use std::path::Path;

use ignore::types::{Types, TypesBuilder};

use super::pattern::{Pattern, split};

/// The directories in which version control systems keep their data.
pub(crate) const VCS: [&str; 6] = [".git", ".svn", ".hg", ".bzr", ".jj", ".sl"];

/// Which files of a tree are searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filter {
    /// One of them has to match, if there are any.
    include: Vec<Glob>,
    /// None of them may match the file, or a directory in which it lies.
    exclude: Vec<Glob>,
    types: Option<(String, Types)>,
}

/// A glob without its `!`, as ripgrep takes it, and compiled.
#[derive(Clone, Debug)]
struct Glob {
    text: String,
    pattern: Pattern,
}

impl Filter {
    /// A filter from the arguments of a call: globs separated by commas, each with a `!` in front to leave files out,
    /// and the name of a type. Globs that start with `base` are taken from there.
    ///
    /// # Errors
    /// When one of the two means nothing; the text says what to write instead.
    pub(crate) fn new(globs: Option<&str>, file_type: Option<&str>, base: &str) -> Result<Self, String> {
        let mut filter = Self::default();
        let invalid = |error: &dyn std::fmt::Display| format!("the argument `glob` is not valid: {error}");
        for part in split(globs.unwrap_or_default(), ',').map_err(|error| invalid(&error))? {
            let part = part.trim();
            let (list, text) = match part.strip_prefix('!') {
                Some(rest) => (&mut filter.exclude, rest),
                None => (&mut filter.include, part),
            };
            if text.is_empty() {
                continue;
            }
            let rest = text.strip_prefix(base).filter(|rest| base != "/" && rest.starts_with('/'));
            let text = rest.unwrap_or(text).to_owned();
            let pattern = Pattern::anywhere(&text).map_err(|error| invalid(&error))?;
            list.push(Glob { text: for_ripgrep(text), pattern });
        }
        filter.types = file_type.filter(|name| !name.is_empty()).map(types).transpose()?;
        Ok(filter)
    }

    /// The globs for ripgrep, in an order in which the last that matches decides.
    pub(crate) fn globs(&self) -> impl Iterator<Item = String> {
        let include = self.include.iter().map(|glob| glob.text.clone());
        include.chain(self.exclude.iter().map(|glob| format!("!{}", glob.text)))
    }

    /// The name of the type.
    pub(crate) fn file_type(&self) -> Option<&str> {
        self.types.as_ref().map(|(name, _)| name.as_str())
    }

    /// Whether a directory is entered, by its path below the one that is searched.
    pub(crate) fn enters(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        !VCS.iter().any(|vcs| vcs.as_bytes() == name) && !self.excludes(path)
    }

    /// Whether a file is searched, by its path below the directory that is searched, all of whose directories are
    /// entered.
    pub(crate) fn takes(&self, path: &[u8]) -> bool {
        let included = self.include.is_empty() || self.include.iter().any(|glob| glob.pattern.matches_from_base(path));
        included && !self.is_vcs_file(path) && !self.excludes(path) && self.has_type(path)
    }

    /// Whether a file is searched, and all of its directories are entered.
    pub(crate) fn takes_below(&self, path: &[u8]) -> bool {
        let mut directories = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| &path[..at]);
        directories.all(|directory| self.enters(directory)) && self.takes(path)
    }

    /// Worktrees and submodules have a file of that name.
    fn is_vcs_file(&self, path: &[u8]) -> bool {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        VCS.iter().any(|vcs| vcs.as_bytes() == name)
    }

    fn excludes(&self, path: &[u8]) -> bool {
        self.exclude.iter().any(|glob| glob.pattern.matches_from_base(path))
    }

    fn has_type(&self, path: &[u8]) -> bool {
        let Some((_, types)) = &self.types else { return true };
        // Types are globs for names, and those are all UTF-8.
        let path = String::from_utf8_lossy(path);
        !types.matched(Path::new(&*path), false).is_ignore()
    }
}

/// A directory means what is in it.
fn for_ripgrep(text: String) -> String {
    let Some(directory) = text.strip_suffix('/') else { return text };
    if directory.contains('/') { format!("{text}**") } else { format!("**/{text}**") }
}

fn types(name: &str) -> Result<(String, Types), String> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    let known = name.chars().all(char::is_alphanumeric) && name != "all";
    match builder.select(name).build() {
        Ok(types) if known => Ok((name.to_owned(), types)),
        _ => Err(format!(
            "there is no file type `{}`; use a name such as `rust`, `py`, `js` or `md`, or say which files with `glob`",
            name.escape_debug()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(globs: &str, path: &str) -> bool {
        Filter::new(Some(globs), None, "/base").unwrap().takes_below(path.as_bytes())
    }

    #[test]
    fn a_glob_without_a_slash_means_names_at_any_depth() {
        for (globs, path, expected) in [
            ("*.rs", "a.rs", true),
            ("*.rs", "x/y/a.rs", true),
            ("/*.rs", "x/a.rs", false),
            ("src/*.rs", "src/a.rs", true),
            ("src/*.rs", "x/src/a.rs", false),
            ("**/src/*.rs", "x/src/a.rs", true),
            ("src/", "x/src/y/a.rs", true),
            ("/src/", "x/src/a.rs", false),
            ("/base/src/*.rs", "src/a.rs", true),
            ("?.rs", "ä.rs", true),
        ] {
            assert_eq!(takes(globs, path), expected, "{globs} {path}");
        }
    }

    #[test]
    fn commas_separate_globs_outside_of_braces_and_blanks_belong_to_names() {
        for (globs, path, expected) in [
            ("*.{ts,tsx}, *.js", "a.js", true),
            ("*.{ts,tsx},*.js", "a.tsx", true),
            ("*.{ts,tsx},*.js", "a.md", false),
            ("my dir/*.py", "my dir/a.py", true),
            ("my dir/*.py", "dir/a.py", false),
            ("[,]x", ",x", true),
            ("", "a", true),
            (",", "a", true),
        ] {
            assert_eq!(takes(globs, path), expected, "{globs} {path}");
        }
    }

    #[test]
    fn what_is_excluded_is_excluded_with_all_that_lies_in_it() {
        for (globs, path, expected) in [
            ("!target", "target/debug/a", false),
            ("!target", "x/target/a", false),
            ("!/target", "x/target/a", true),
            ("!*.md,*.md", "a.md", false),
            ("!*.md", "a.rs", true),
            ("*.rs,!gen_*", "gen_a.rs", false),
            ("", ".git/config", false),
            ("", "x/.hg/a", false),
            ("", ".git", false),
            ("", ".gitignore", true),
        ] {
            assert_eq!(takes(globs, path), expected, "{globs} {path}");
        }
    }

    #[test]
    fn a_type_limits_files_and_is_only_a_name() {
        let filter = Filter::new(None, Some("rust"), "/").unwrap();
        assert!(filter.takes(b"x/a.rs") && !filter.takes(b"x/a.py"));
        for name in ["nosuch", "--pre=touch", "all", "rust,py"] {
            let error = Filter::new(None, Some(name), "/").unwrap_err();
            assert!(error.starts_with(&format!("there is no file type `{name}`")), "{error}");
        }
    }
}
