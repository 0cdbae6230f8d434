//! Merging files: a narrower one can only tighten what a wider one says, unless it says otherwise.

use super::error::SettingsWarning;
use super::{PermissionMode, PermissionSettings, ReadOnlyPolicy};
use crate::permission::rule::{PermissionBehavior, PermissionRule};

/// Which names a file protects.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Protection {
    /// Names that stand for the usual ones.
    pub(super) replace: Option<Vec<String>>,
    /// Names beside those.
    pub(super) more: Vec<String>,
}

impl Protection {
    /// All names, where these are the usual ones.
    pub(super) fn entries(self, usual: Vec<String>) -> Vec<String> {
        let mut entries = self.replace.unwrap_or(usual);
        for name in self.more {
            if !entries.contains(&name) {
                entries.push(name);
            }
        }
        entries
    }
}

impl PermissionSettings {
    /// These settings, and on top of them those of a narrower file: first the user's, then the project's, then the
    /// session's.
    ///
    /// The narrower file can only tighten. Its `deny` and `ask` rules and its protected names are added. What would allow
    /// more than the wider file is ignored with a [warning](Self::warnings): its `allow` rules, working directories and
    /// commands that only read, a looser `mode`, `read_only = "allow"`, a replaced list of protected names. A narrower file with `loosen = true`
    /// is followed in these things too.
    ///
    /// Which modes are tighter follows from what they allow:
    ///
    /// | from | tighter |
    /// | --- | --- |
    /// | `bypass` | every other |
    /// | `accept_edits` | `default`, `dont_ask`, `explore` |
    /// | `default`, `dont_ask` | `explore` if what only reads is allowed anyway |
    /// | `explore` | none |
    ///
    /// Of `default` and `dont_ask` none is tighter: one asks where the other denies, but file tools may allow edits inside
    /// of working directories in the other. Settings without a file of the user's are
    /// `PermissionSettings::default()`, which allow nothing, so that nothing can be added to them.
    ///
    /// ```
    /// use agentscope_tool::{PermissionMode, PermissionSettings};
    ///
    /// let user = PermissionSettings::from_toml(r#"mode = "default""#, "/home/ada")?;
    /// let project = PermissionSettings::from_toml("mode = \"bypass\"\ndeny = [\"Bash\"]", "/project")?;
    ///
    /// let merged = user.narrowed_by(project);
    /// println!("{}", merged.warnings()[0]);                 // `mode = "bypass"` would allow more …
    /// let context = merged.into_context();
    /// assert_eq!(context.mode(), PermissionMode::Default);
    /// assert_eq!(context.rules().count(), 1);
    /// # Ok::<(), agentscope_tool::SettingsError>(())
    /// ```
    #[must_use]
    pub fn narrowed_by(self, narrower: Self) -> Self {
        let loosen = narrower.loosen;
        self.merged(narrower, loosen)
    }

    /// As [`narrowed_by`](Self::narrowed_by), but never loosened, whatever the narrower file says: for files from places
    /// that you do not trust, such as a repository that was checked out.
    ///
    /// Its ask rules may turn what would be denied into a question, since ask rules come before a tool's own say; nothing
    /// more runs unasked.
    #[must_use]
    pub fn tightened_by(self, narrower: Self) -> Self {
        self.merged(narrower, false)
    }

    fn merged(mut self, narrower: Self, loosen: bool) -> Self {
        let mut merge = Merge { loosen, warnings: Vec::new() };
        let policy = self.read_only.unwrap_or_default();
        if let Some(mode) = narrower.mode {
            let tighter = is_tighter(self.mode.unwrap_or_default(), mode, policy);
            if merge.takes(tighter, &narrower, "mode", &format!("`mode = \"{mode}\"`")) {
                self.mode = Some(mode);
            }
        }
        if let Some(wanted) = narrower.read_only {
            let tighter = wanted == policy || wanted == ReadOnlyPolicy::ByMode;
            if merge.takes(tighter, &narrower, "read_only", "`read_only = \"allow\"`") {
                self.read_only = Some(wanted);
            }
        }
        for directory in &narrower.working_directories {
            let known = self.working_directories.iter().any(|wider| wider.path == directory.path);
            let what = format!("the working directory `{}`", directory.path);
            if !known && merge.takes(false, &narrower, "working_directories", &what) {
                self.working_directories.push(directory.clone());
            }
        }
        for (rule, line) in &narrower.rules {
            if self.rules.iter().any(|(wider, _)| says_the_same(wider, rule)) {
                continue;
            }
            let tighter = rule.behavior() != PermissionBehavior::Allow;
            if merge.takes_at(tighter, &narrower, Some(*line), &format!("the rule `{rule}`")) {
                self.rules.push((rule.clone(), *line));
            }
        }
        for (entry, line) in &narrower.read_only_commands {
            let known = self.read_only_commands.iter().any(|(own, _)| own == entry);
            if !known && merge.takes_at(false, &narrower, Some(*line), "an entry of `read_only_commands`") {
                self.read_only_commands.push((entry.clone(), *line));
            }
        }
        merge.protection(&mut self.protected_files, &narrower.protected_files, &narrower, "protected_files");
        merge.protection(
            &mut self.protected_directories,
            &narrower.protected_directories,
            &narrower,
            "protected_directories",
        );
        // Those of rules that were not taken would speak about rules that are not there.
        let taken = |rule: &PermissionRule| self.rules.iter().any(|(own, _)| own == rule);
        let examples: Vec<_> = narrower.examples.into_iter().filter(|example| taken(&example.rule)).collect();
        self.examples.extend(examples);
        self.warnings.extend(narrower.warnings);
        self.warnings.extend(merge.warnings);
        if !self.source.is_empty() && !narrower.source.is_empty() {
            self.source.push_str(" + ");
        }
        self.source.push_str(&narrower.source);
        self.lines.clear();
        self
    }
}

/// Whether two rules differ at most in where they come from and why they are there.
fn says_the_same(one: &PermissionRule, other: &PermissionRule) -> bool {
    let said = |rule: &PermissionRule| (rule.behavior(), rule.to_string(), rule.anchor().map(ToOwned::to_owned));
    said(one) == said(other)
}

struct Merge {
    loosen: bool,
    warnings: Vec<SettingsWarning>,
}

impl Merge {
    /// Whether the narrower file is followed in this; if not, there is a warning.
    fn takes(&mut self, tighter: bool, narrower: &PermissionSettings, key: &str, what: &str) -> bool {
        self.takes_at(tighter, narrower, narrower.line_of(key), what)
    }

    fn takes_at(&mut self, tighter: bool, narrower: &PermissionSettings, line: Option<usize>, what: &str) -> bool {
        if tighter || self.loosen {
            return true;
        }
        let way_out = match narrower.loosen {
            true => "this file is not trusted to loosen; say it in a wider one",
            false => "say it in a wider file, or add `loosen = true` to this one",
        };
        let message = format!("{what} would allow more than the wider settings do, so it is ignored; {way_out}");
        self.warnings.push(SettingsWarning { file: narrower.source.clone(), line, message });
        false
    }

    fn protection(&mut self, wider: &mut Protection, names: &Protection, narrower: &PermissionSettings, key: &str) {
        wider.more.extend(names.more.iter().cloned());
        let Some(replace) = &names.replace else { return };
        if self.takes(false, narrower, key, &format!("replacing `{key}`")) {
            *wider = names.clone();
        } else {
            // What it protects beside the usual names is no loosening.
            wider.more.extend(replace.iter().cloned());
        }
    }
}

/// Whether going from one mode to another can only allow less.
fn is_tighter(from: PermissionMode, to: PermissionMode, policy: ReadOnlyPolicy) -> bool {
    use PermissionMode::{AcceptEdits, Bypass, Default, DontAsk, Explore};
    match (from, to) {
        (from, to) if from == to => true,
        (Bypass, _) | (AcceptEdits, Default | DontAsk | Explore) => true,
        // `explore` allows what only reads, also where these two would not.
        (Default | DontAsk, Explore) => policy == ReadOnlyPolicy::Always,
        _ => false,
    }
}
