//! Permission settings in files: a mode and rules, written by people.

mod document;
mod error;
mod file;
mod merge;
mod read;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::Value;

pub use error::{SettingsError, SettingsFault, SettingsWarning};
use merge::Protection;

use super::context::{PermissionContext, PermissionMode, ReadOnlyPolicy, WorkingDirectory};
use super::protected::ProtectedPaths;
use super::rule::PermissionRule;

/// The permission settings of a file, or of several that were merged.
///
/// ```
/// use agentscope_tool::{PermissionMode, PermissionSettings};
///
/// let settings = PermissionSettings::from_toml(
///     r#"
///     mode = "accept_edits"
///     read_only = "allow"                       # what only reads may run
///     working_directories = ["."]
///     allow = ["Bash(npm run:*)", "Edit(src/**)"]
///     deny = [
///         "Read(**/.env)",
///         { rule = "Bash(git push:*)", reason = "releases are made by hand", match = ["git push --tags"] },
///     ]
///     "#,
///     "/project",
/// )?;
/// let context = settings.into_context();
/// assert_eq!(context.mode(), PermissionMode::AcceptEdits);
/// assert_eq!(context.rules().count(), 4);
/// # Ok::<(), agentscope_tool::SettingsError>(())
/// ```
///
/// Relative path patterns and working directories start at the file's folder. Unknown keys, misspelt modes, malformed
/// rules and examples that a rule does not keep are errors, all at once and each with its line.
///
/// A program that goes on without settings that it cannot read should allow nothing:
///
/// ```
/// use agentscope_tool::{PermissionContext, PermissionSettings};
///
/// let context = PermissionSettings::load("no/such/agent.toml")
///     .map(PermissionSettings::into_context)
///     .unwrap_or_else(PermissionContext::closed);
/// assert!(context.closed_because().is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PermissionSettings {
    source: String,
    mode: Option<PermissionMode>,
    read_only: Option<ReadOnlyPolicy>,
    working_directories: Vec<WorkingDirectory>,
    /// The rules, each with its line.
    rules: Vec<(PermissionRule, usize)>,
    examples: Vec<RuleExample>,
    read_only_commands: Vec<(String, usize)>,
    protected_files: Protection,
    protected_directories: Protection,
    loosen: bool,
    warnings: Vec<SettingsWarning>,
    /// On which line each key of the file is.
    lines: Vec<(String, usize)>,
}

/// A call that a rule of a settings file has to match, or must not match.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleExample {
    /// The rule.
    pub rule: PermissionRule,
    /// The arguments of the call as an object, or a text, which stands for the tool's first argument that is a text.
    pub input: Value,
    /// Whether the rule has to match it.
    pub matches: bool,
    /// The line of the file on which the rule is, counted from 1.
    pub line: Option<usize>,
}

impl RuleExample {
    /// What is wrong when the rule does not do what the example says.
    pub(crate) fn broken(&self) -> String {
        let Self { rule, input, matches, .. } = self;
        let shown = crate::schema::shown(input);
        if *matches {
            format!("rule `{rule}` does not match its example {shown}; correct one of the two")
        } else {
            format!("rule `{rule}` matches {shown}, an example of what it must not match; correct one of the two")
        }
    }
}

impl PermissionSettings {
    /// Reads a file: TOML if its name ends in `.toml`, JSON if it ends in `.json`. It blocks; call it when the program
    /// starts.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than 1 MiB, or has any fault.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, SettingsError> {
        read::load(path.as_ref())
    }

    /// As [`load`](Self::load), or nothing if there is no such file: for a project's own settings, say.
    ///
    /// # Errors
    /// When there is something that cannot be read, is larger than 1 MiB, or has any fault.
    pub fn load_if_exists(path: impl AsRef<Path>) -> Result<Option<Self>, SettingsError> {
        let path = path.as_ref();
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            // A link that leads nowhere is a file that is missing, not one that was never meant.
            _ => Self::load(path).map(Some),
        }
    }

    /// Settings written in TOML, as those of a file in this folder.
    ///
    /// # Errors
    /// When the text has any fault.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str, folder: impl AsRef<Path>) -> Result<Self, SettingsError> {
        read::from_text(document::toml(text), text, folder.as_ref(), "settings.toml")
    }

    /// Settings written in JSON, as those of a file in this folder.
    ///
    /// # Errors
    /// When the text has any fault.
    pub fn from_json(text: &str, folder: impl AsRef<Path>) -> Result<Self, SettingsError> {
        read::from_text(document::json(text), text, folder.as_ref(), "settings.json")
    }

    /// The permission context that the settings say.
    #[must_use]
    pub fn into_context(self) -> PermissionContext {
        let files = self.protected_files.entries(ProtectedPaths::default().file_entries());
        let directories = self.protected_directories.entries(ProtectedPaths::default().directory_entries());
        let mut context = PermissionContext::new()
            .with_mode(self.mode.unwrap_or_default())
            .with_read_only_policy(self.read_only.unwrap_or_default())
            .with_protected_paths(ProtectedPaths::none().files(files).directories(directories));
        for directory in self.working_directories {
            context.add_working_directory(directory);
        }
        for (rule, _) in self.rules {
            context.add_checked_rule(rule);
        }
        context
    }

    /// The examples that have yet to be checked, by the tools themselves: [`Toolkit::check_examples`] does. Those of
    /// the file tools' rules were checked when the file was read.
    ///
    /// [`Toolkit::check_examples`]: crate::Toolkit::check_examples
    pub fn examples(&self) -> impl Iterator<Item = &RuleExample> {
        self.examples.iter()
    }

    /// Commands that only read, as the files describe them: for the tool that runs commands.
    pub fn read_only_commands(&self) -> impl Iterator<Item = &str> {
        self.read_only_commands.iter().map(|(entry, _)| entry.as_str())
    }

    /// What was ignored when files were merged.
    #[must_use]
    pub fn warnings(&self) -> &[SettingsWarning] {
        &self.warnings
    }

    /// The JSON Schema of a settings file, for editors.
    #[must_use]
    pub fn json_schema() -> Value {
        file::schema()
    }

    fn line_of(&self, key: &str) -> Option<usize> {
        self.lines.iter().find(|(name, _)| name == key).map(|(_, line)| *line)
    }
}
