//! Names of files and directories that no tool should change unasked, wherever they are.

use serde::{Deserialize, Serialize};

/// Files that shells, git and package managers act on or keep secrets in. `.env.*` is every variant, `.env.example`
/// among them: what is an example and what is in use cannot be told from a name.
const FILES: [&str; 15] = [
    ".gitconfig",
    ".gitmodules",
    ".bashrc",
    ".bash_profile",
    ".zshrc",
    ".zprofile",
    ".profile",
    ".ssh/config",
    ".ssh/authorized_keys",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".env",
    ".env.*",
    ".envrc",
];

/// Directories that hold hooks, tasks and keys.
const DIRECTORIES: [&str; 4] = [".git", ".vscode", ".idea", ".ssh"];

/// Names that are protected in every directory: changing them asks first, whatever the rules allow.
///
/// An entry is compared with every segment of a path, so it protects what lies below as well. Upper and lower case are
/// the same. A `*` in an entry stands for any text within one segment; every other character stands for itself. An
/// entry with a `/`, like `.ssh/config`, needs its segments one after the other; a `/` or `~/` in front of an entry is
/// ignored, it is protected everywhere.
///
/// Only the text of a path is looked at: of a path that leads through links, ask about both forms.
///
/// ```
/// use agentscope_tool::ProtectedPaths;
///
/// let protected = ProtectedPaths::default().additional_files(["*.pem"]);
/// assert_eq!(protected.find("/w/.GIT/hooks/pre-commit"), Some(".git"));
/// assert_eq!(protected.find("/w/.env.staging.local"), Some(".env.*"));
/// assert_eq!(protected.find("certs/server.pem"), Some("*.pem"));
/// assert_eq!(protected.find("/w/.gitignore"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProtectedPaths {
    files: Vec<Entry>,
    directories: Vec<Entry>,
}

impl Default for ProtectedPaths {
    /// The files `.gitconfig`, `.gitmodules`, `.bashrc`, `.bash_profile`, `.zshrc`, `.zprofile`, `.profile`,
    /// `.ssh/config`, `.ssh/authorized_keys`, `.netrc`, `.npmrc`, `.pypirc`, `.env`, `.env.*` (every variant,
    /// `.env.example` too) and `.envrc`, and the directories `.git`, `.vscode`, `.idea` and `.ssh`.
    fn default() -> Self {
        ProtectedPaths::none().files(FILES).directories(DIRECTORIES)
    }
}

impl ProtectedPaths {
    /// No protected names at all.
    pub fn none() -> Self {
        ProtectedPaths { files: Vec::new(), directories: Vec::new() }
    }

    /// These files instead of the ones so far.
    #[must_use]
    pub fn files(mut self, entries: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.files.clear();
        self.additional_files(entries)
    }

    /// These directories instead of the ones so far.
    #[must_use]
    pub fn directories(mut self, entries: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.directories.clear();
        self.additional_directories(entries)
    }

    /// These files beside the ones so far.
    #[must_use]
    pub fn additional_files(mut self, entries: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.files.extend(entries.into_iter().map(|entry| Entry::new(entry.into())));
        self
    }

    /// These directories beside the ones so far.
    #[must_use]
    pub fn additional_directories(mut self, entries: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.directories.extend(entries.into_iter().map(|entry| Entry::new(entry.into())));
        self
    }

    /// The entry that protects a path, absolute or relative, as it is written in its list.
    pub fn find(&self, path: &str) -> Option<&str> {
        self.find_where(path, |_| true)
    }
}

impl ProtectedPaths {
    /// Whether an entry of this text could protect anything.
    pub(super) fn can_protect(text: &str) -> bool {
        !Entry::new(text.to_owned()).segments.is_empty()
    }

    /// The entries for files.
    pub(super) fn file_entries(&self) -> Vec<String> {
        self.files.iter().map(|entry| entry.text.clone()).collect()
    }

    /// The entries for directories.
    pub(super) fn directory_entries(&self) -> Vec<String> {
        self.directories.iter().map(|entry| entry.text.clone()).collect()
    }

    /// Whether this very entry is in a list.
    pub(super) fn has_entry(&self, text: &str) -> bool {
        self.entries().any(|entry| entry.text == text)
    }

    /// As [`find`](Self::find), among the entries that count.
    pub(super) fn find_where(&self, path: &str, counts: impl Fn(&str) -> bool) -> Option<&str> {
        let path = fold_case(path);
        let segments: Vec<&str> = segments(&path).collect();
        self.entries().filter(|entry| entry.is_in(&segments)).map(|entry| &*entry.text).find(|text| counts(text))
    }

    /// Any entry that could protect something.
    pub(super) fn first(&self) -> Option<&str> {
        self.first_where(|_| true)
    }

    /// As [`first`](Self::first), among the entries that count.
    pub(super) fn first_where(&self, counts: impl Fn(&str) -> bool) -> Option<&str> {
        self.entries().filter(|entry| !entry.segments.is_empty()).map(|entry| &*entry.text).find(|text| counts(text))
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.files.iter().chain(&self.directories)
    }
}

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
struct Entry {
    text: String,
    segments: Vec<String>,
}

impl Entry {
    fn new(text: String) -> Self {
        let folded = fold_case(&text);
        // `~` is written for the home directory, and a path that was resolved never holds it.
        let anywhere = folded.strip_prefix("~/").unwrap_or(&folded);
        let segments = segments(anywhere).map(str::to_owned).collect();
        Entry { text, segments }
    }

    /// Whether the entry's segments are in the path, one after the other. An entry without segments is nowhere.
    fn is_in(&self, path: &[&str]) -> bool {
        !self.segments.is_empty()
            && path.windows(self.segments.len()).any(|part| {
                part.iter().zip(&self.segments).all(|(name, pattern)| is_like(name.as_bytes(), pattern.as_bytes()))
            })
    }
}

impl From<Entry> for String {
    fn from(entry: Entry) -> Self {
        entry.text
    }
}

impl TryFrom<String> for Entry {
    type Error = EmptyEntry;

    fn try_from(text: String) -> Result<Self, EmptyEntry> {
        let entry = Entry::new(text);
        if entry.segments.is_empty() { Err(EmptyEntry { text: entry.text }) } else { Ok(entry) }
    }
}

/// Why an entry of a saved list is refused.
#[derive(Debug, thiserror::Error)]
#[error("`{text}` names no file or directory to protect; write a name such as `.env`, or remove the entry")]
struct EmptyEntry {
    text: String,
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !matches!(*segment, "" | "."))
}

/// The text with upper and lower case made one. By way of upper case, so that letters which some file systems take for
/// the same, like `s` and `ſ`, become the same too; without the characters that HFS+ overlooks in names.
fn fold_case(text: &str) -> String {
    text.chars()
        .filter(
            |c| !matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}'),
        )
        .flat_map(char::to_uppercase)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether `name` is like `pattern`, in which `*` stands for any bytes. Takes at most `name` times `pattern` steps.
fn is_like(name: &[u8], pattern: &[u8]) -> bool {
    let (mut at, mut want) = (0, 0);
    // Where the last `*` is, and up to where it reaches in the name.
    let mut star = None;
    while at < name.len() {
        match pattern.get(want) {
            Some(b'*') => {
                star = Some((want, at));
                want += 1;
            }
            Some(byte) if *byte == name[at] => {
                at += 1;
                want += 1;
            }
            _ => {
                let Some((position, reach)) = star else { return false };
                star = Some((position, reach + 1));
                at = reach + 1;
                want = position + 1;
            }
        }
    }
    pattern[want..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn finds(path: &str, entry: &str) {
        assert_eq!(ProtectedPaths::default().find(path), Some(entry), "{path}");
    }

    #[track_caller]
    fn finds_nothing(path: &str) {
        assert_eq!(ProtectedPaths::default().find(path), None, "{path}");
    }

    #[test]
    fn every_default_entry_is_found_as_it_is_written() {
        for entry in FILES.iter().chain(&DIRECTORIES) {
            assert!(ProtectedPaths::default().find(&format!("/w/{entry}")).is_some(), "{entry}");
            assert!(ProtectedPaths::default().find(&entry.to_uppercase()).is_some(), "{entry}");
        }
    }

    #[test]
    fn a_directory_protects_itself_and_everything_below() {
        finds("/w/.git", ".git");
        finds("/w/.git/", ".git");
        finds("/w/.git/hooks/pre-commit", ".git");
        finds(".vscode/tasks.json", ".vscode");
    }

    #[test]
    fn names_that_only_look_alike_are_free() {
        for path in
            ["/w/git", "/w/.gitignore", "/w/.github/x", "/w/a.git", "/w/environment", "/w/.environment", "/", ""]
        {
            finds_nothing(path);
        }
    }

    #[test]
    fn case_does_not_matter() {
        finds("/w/.GIT/hooks/x", ".git");
        finds("/w/.Env", ".env");
        finds("/w/.NPMRC", ".npmrc");
        assert_eq!(ProtectedPaths::none().files(["Secret.TXT"]).find("secret.txt"), Some("Secret.TXT"));
    }

    #[test]
    fn letters_that_some_file_systems_take_for_the_same_are_the_same() {
        finds("/w/.\u{17f}\u{17f}h/id", ".ssh");
        finds("/w/.g\u{200c}it/config", ".git");
        assert_eq!(ProtectedPaths::none().files(["keys"]).find("/\u{212a}eys"), Some("keys"));
    }

    #[test]
    fn every_variant_of_env_is_protected() {
        for path in ["/w/.env.local", "/w/.env.staging.local", "/w/.env.example"] {
            finds(path, ".env.*");
        }
        finds("/w/.envrc", ".envrc");
        finds_nothing("/w/.envy");
    }

    #[test]
    fn a_directory_with_the_name_of_a_protected_file_counts() {
        finds("/w/.env/key", ".env");
    }

    #[test]
    fn an_entry_with_a_slash_needs_its_segments_one_after_the_other() {
        let protected = ProtectedPaths::none().files([".ssh/config", "a/*/c"]);
        for path in ["/home/u/.ssh/config", "/home/u/.ssh//./config", ".ssh/config/x", "/a/b/c"] {
            assert!(protected.find(path).is_some(), "{path}");
        }
        for path in ["/home/u/.ssh/known_hosts", "/w/config", "/.ssh/x/config", "/a/c", "/a/b/b/c"] {
            assert!(protected.find(path).is_none(), "{path}");
        }
    }

    #[test]
    fn an_entry_below_the_root_or_home_is_protected_everywhere() {
        let protected = ProtectedPaths::none().files(["/etc/shadow"]).directories(["~/.aws/"]);
        assert_eq!(protected.find("/etc/shadow"), Some("/etc/shadow"));
        assert_eq!(protected.find("/home/u/.aws/credentials"), Some("~/.aws/"));
    }

    #[test]
    fn a_star_stands_for_any_text_within_one_segment() {
        for (name, pattern, like) in [
            ("a.pem", "*.pem", true),
            (".pem", "*.pem", true),
            ("a.pem.txt", "*.pem", false),
            ("aXbXc", "a*b*c", true),
            ("aa", "*aaa", false),
            ("ab", "a*ab", false),
            ("abcb", "a*b", true),
            ("ab", "a*b*b", false),
            ("", "*", true),
            ("", "", true),
            ("a", "", false),
            ("héé", "h*é", true),
        ] {
            assert_eq!(is_like(name.as_bytes(), pattern.as_bytes()), like, "{name} {pattern}");
        }
        assert_eq!(ProtectedPaths::none().files(["a*c"]).find("/a/c"), None);
    }

    #[test]
    fn lists_are_replaced_or_added_to() {
        let replaced = ProtectedPaths::default().files(["secret"]);
        assert_eq!(replaced.find(".env"), None);
        assert_eq!(replaced.find("secret"), Some("secret"));
        assert_eq!(replaced.find(".git/x"), Some(".git"));
        let added = ProtectedPaths::default().additional_directories(["vault"]);
        assert_eq!(added.find("/vault/x"), Some("vault"));
        assert_eq!(added.find("/w/.git"), Some(".git"));
        assert_eq!(ProtectedPaths::default().directories(["vault"]).find("/w/.git"), None);
        assert_eq!(ProtectedPaths::none().find("/w/.git/config"), None);
    }

    #[test]
    fn an_empty_entry_protects_nothing() {
        assert_eq!(ProtectedPaths::none().files(["", "/", "."]).find("/a"), None);
    }

    #[test]
    fn json_keeps_the_lists_as_they_are_written() {
        let protected = ProtectedPaths::none().files(["A.txt"]).directories(["~/.aws/"]);
        let json = serde_json::to_value(&protected).unwrap();
        assert_eq!(json, serde_json::json!({"files": ["A.txt"], "directories": ["~/.aws/"]}));
        assert_eq!(serde_json::from_value::<ProtectedPaths>(json).unwrap(), protected);
    }

    #[test]
    fn a_list_that_is_not_in_the_json_is_the_default_one() {
        let protected: ProtectedPaths = serde_json::from_str(r#"{"files": ["x"]}"#).unwrap();
        assert_eq!(protected, ProtectedPaths::default().files(["x"]));
    }

    #[test]
    fn a_misspelt_list_or_an_empty_entry_in_json_is_refused() {
        assert!(serde_json::from_str::<ProtectedPaths>(r#"{"file": ["x"]}"#).is_err());
        let error = serde_json::from_str::<ProtectedPaths>(r#"{"files": ["/"]}"#).unwrap_err().to_string();
        assert!(error.contains("`/` names no file or directory"), "{error}");
    }
}
