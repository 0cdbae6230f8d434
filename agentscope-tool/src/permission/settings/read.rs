//! From a file's text to settings.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize as _;

use super::document::{self, Document, SyntaxFault};
use super::error::{SettingsError, SettingsFault};
use super::file::{Example, File, Names, Rule, RuleTable};
use super::merge::Protection;
use super::{PermissionSettings, RuleExample};
use crate::permission::context::WorkingDirectory;
use crate::permission::pattern::{PathPattern, below_home, fold};
use crate::permission::protected::ProtectedPaths;
use crate::permission::rule::{PermissionBehavior, PermissionRule};
use crate::schema::{Fault, Validator, natural};

/// More than anybody writes by hand.
const MAX_BYTES: u64 = 1 << 20;

/// More than anybody reads.
const MAX_FAULTS: usize = 100;

pub(super) fn load(path: &Path) -> Result<PermissionSettings, SettingsError> {
    let source = path.display().to_string();
    let unreadable = |error| SettingsError::whole(&source, format!("cannot be read: {error}"));
    let text = read(path).map_err(unreadable)?;
    // Where the path really leads: `..` behind a link is not what it seems.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).map_err(unreadable)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(SettingsError::whole(&source, "is larger than 1 MiB, which no settings are"));
    }
    let text = String::from_utf8(text).map_err(|error| {
        SettingsError::whole(&source, format!("is not UTF-8: {}; save it as UTF-8", error.utf8_error()))
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let document = match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => document::json(text),
        #[cfg(feature = "toml")]
        Some("toml") => document::toml(text),
        #[cfg(not(feature = "toml"))]
        Some("toml") => {
            let message = "cannot be read without the cargo feature `toml`; turn it on, or write the settings in JSON";
            return Err(SettingsError::whole(&source, message));
        }
        _ => return Err(SettingsError::whole(&source, "has to be called `….toml` or `….json`")),
    };
    from_text(document, text, &folder, &source)
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("it is no file"));
    }
    let mut text = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut text)?;
    Ok(text)
}

pub(super) fn from_text(
    document: Result<Document, Vec<SyntaxFault>>,
    text: &str,
    folder: &Path,
    source: &str,
) -> Result<PermissionSettings, SettingsError> {
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1)).collect();
    let mut reader = Reader { text, lines, source, folder: String::new(), faults: Vec::new() };
    let settings = reader.settings(document, folder);
    match settings.filter(|_| reader.faults.is_empty()) {
        Some(settings) => Ok(settings),
        None => {
            let mut faults = reader.faults;
            faults.sort_by_key(|fault| fault.place);
            if faults.len() > MAX_FAULTS {
                let message = format!("{} more faults", faults.len() - MAX_FAULTS);
                faults.truncate(MAX_FAULTS);
                faults.push(SettingsFault { place: None, message });
            }
            Err(SettingsError { file: source.to_owned(), faults })
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    /// Where each line starts.
    lines: Vec<usize>,
    source: &'t str,
    folder: String,
    faults: Vec<SettingsFault>,
}

impl Reader<'_> {
    fn settings(&mut self, document: Result<Document, Vec<SyntaxFault>>, folder: &Path) -> Option<PermissionSettings> {
        let document = match document {
            Ok(document) => document,
            Err(faults) => {
                for fault in faults {
                    self.fault(fault.offset, fault.message);
                }
                return None;
            }
        };
        match std::path::absolute(folder) {
            Ok(folder) => match folder.to_str() {
                Some(folder) => self.folder = fold(folder),
                None => self.fault(0, "the file's folder has a name that is not UTF-8; rename it".into()),
            },
            Err(error) => self.fault(0, format!("the file's folder is not known: {error}")),
        }
        for fault in VALIDATOR.as_ref()?.validate(&document.value).err().into_iter().flatten() {
            self.fault(document.offset(fault.path()), in_a_file(&fault));
        }
        if !self.faults.is_empty() {
            return None;
        }
        match File::deserialize(&document.value) {
            Ok(file) => Some(self.take(file, &document)),
            Err(error) => {
                self.fault(0, error.to_string());
                None
            }
        }
    }

    fn take(&mut self, file: File, document: &Document) -> PermissionSettings {
        for (key, names) in
            [("protected_files", &file.protected_files), ("protected_directories", &file.protected_directories)]
        {
            let names = names.iter().flat_map(Names::names);
            for name in names.filter(|name| !ProtectedPaths::can_protect(name)) {
                let message = format!("{name:?} names nothing to protect; write a name such as `.env`, or remove it");
                self.fault(document.offset(key), message);
            }
        }
        let keys = document.value.as_object().into_iter().flat_map(|keys| keys.keys());
        let lines = keys.map(|key| (key.clone(), self.place(document.offset(key)).0)).collect();
        let mut settings = PermissionSettings {
            source: self.source.to_owned(),
            mode: file.mode,
            read_only: file.read_only.map(Into::into),
            protected_files: protection(file.protected_files),
            protected_directories: protection(file.protected_directories),
            loosen: file.loosen,
            lines,
            ..PermissionSettings::default()
        };
        for (index, directory) in file.working_directories.into_iter().enumerate() {
            let offset = document.offset(&format!("working_directories[{index}]"));
            if directory.trim().is_empty() {
                self.fault(offset, "a working directory has no name; write `.` for the file's own folder".into());
            }
            if directory.starts_with('~') && below_home(&directory).is_none() {
                let message = format!(
                    "only one's own home directory is known by `~`; write `./{directory}`, or the absolute path"
                );
                self.fault(offset, message);
            }
            let directory = WorkingDirectory::new(self.in_folder(&directory)).with_source(self.source);
            settings.working_directories.push(directory);
        }
        for (index, entry) in file.read_only_commands.into_iter().enumerate() {
            let offset = document.offset(&format!("read_only_commands[{index}]"));
            if entry.trim().is_empty() {
                self.fault(offset, "an entry describes no command; write the command, or remove it".into());
            }
            settings.read_only_commands.push((entry, self.place(offset).0));
        }
        let lists = [
            ("allow", PermissionBehavior::Allow, file.allow),
            ("deny", PermissionBehavior::Deny, file.deny),
            ("ask", PermissionBehavior::Ask, file.ask),
        ];
        for (key, behavior, rules) in lists {
            for (index, rule) in rules.into_iter().enumerate() {
                let offset = document.offset(&format!("{key}[{index}]"));
                self.rule(rule, behavior, offset, &mut settings);
            }
        }
        settings
    }

    fn rule(&mut self, rule: Rule, behavior: PermissionBehavior, offset: usize, settings: &mut PermissionSettings) {
        let table = match rule {
            Rule::Text(rule) => RuleTable { rule, reason: None, matching: Vec::new(), others: Vec::new() },
            Rule::Table(table) => table,
        };
        let mut rule = match PermissionRule::parse(&table.rule, behavior) {
            Ok(rule) => rule.with_source(self.source),
            Err(error) => return self.fault(offset, error.to_string()),
        };
        if rule.content().is_some_and(|content| !content.starts_with('/') && below_home(content).is_none()) {
            rule = rule.with_anchor(&self.folder);
        }
        if let Some(reason) = table.reason {
            rule = rule.with_reason(reason);
        }
        let examples = |examples: Vec<Example>, matches| examples.into_iter().map(move |example| (example, matches));
        for (example, matches) in examples(table.matching, true).chain(examples(table.others, false)) {
            let example =
                RuleExample { rule: rule.clone(), input: example.into(), matches, line: Some(self.place(offset).0) };
            match (rule.names_paths(), rule.pattern(), example.input.as_str()) {
                (true, Some(Ok(pattern)), Some(path)) => {
                    let found = self.is_match(&rule, pattern, path);
                    if found != matches {
                        self.fault(offset, example.broken());
                    }
                }
                _ => settings.examples.push(example),
            }
        }
        settings.rules.push((rule, self.place(offset).0));
    }

    /// Whether a rule about paths matches this one, as far as the text of both tells.
    fn is_match(&self, rule: &PermissionRule, pattern: &PathPattern, path: &str) -> bool {
        let home = std::env::home_dir().and_then(|home| home.to_str().map(fold));
        let path = match (below_home(path), &home) {
            (Some(rest), Some(home)) => fold(&format!("{home}{rest}")),
            _ => fold(&self.in_folder(path)),
        };
        pattern.bases(&[&self.folder], home.as_deref()).iter().any(|base| match rule.behavior() {
            PermissionBehavior::Allow => pattern.matches(base, &path),
            _ => pattern.hits(base, &path),
        })
    }

    fn in_folder(&self, path: &str) -> String {
        if path.starts_with('/') || below_home(path).is_some() {
            path.to_owned()
        } else {
            fold(&format!("{}/{path}", self.folder))
        }
    }

    fn fault(&mut self, offset: usize, message: String) {
        self.faults.push(SettingsFault { place: Some(self.place(offset)), message });
    }

    /// The line and the column of a byte.
    fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or_default();
        let before = self.text.get(start..offset).unwrap_or_default();
        (line.max(1), before.chars().count() + 1)
    }
}

fn protection(names: Option<Names>) -> Protection {
    match names {
        None => Protection::default(),
        Some(Names::More(more)) => Protection { replace: None, more },
        Some(Names::Instead(instead)) => Protection { replace: Some(instead.replace), more: Vec::new() },
    }
}

/// Compiled from the types that the file is read into, so that both say the same. `None` cannot come: a test builds it.
static VALIDATOR: LazyLock<Option<Validator>> = LazyLock::new(|| Validator::closed(&natural::<File>()).ok());

/// A fault as it is told of a file, which has keys instead of arguments.
fn in_a_file(fault: &Fault) -> String {
    let text = fault.to_string();
    match text.strip_prefix("unknown argument ") {
        Some(rest) => format!("unknown key {rest}"),
        None => text.replacen("the arguments: ", "the file: ", 1),
    }
}
