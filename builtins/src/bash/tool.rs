//! The tool that runs shell commands.

use std::sync::Arc;

use agentscope_tool::backend::{Backend, path};
use agentscope_tool::prelude::*;
use agentscope_tool::{PermissionMode, ProtectedPaths};

use super::analysis::{Analysis, Level, Touched, analyse};
use super::rule::{self, Pattern};
use super::run::{BashArgs, RunOptions, Runner};
use super::{Part, Shell, Word};

/// Run a shell command and get what it prints.
///
/// - The command gets no input and no terminal, so nothing can be asked of it. Give options such as `--yes` where a program
///   would ask.
/// - What only reads (`ls`, `git log`, `grep` and many more) runs by itself; for the rest somebody may have to be asked. Write
///   commands plainly: what cannot be understood before it runs is asked about.
/// - To read, find, write and change files, use the tools for that instead of `cat`, `find`, `sed` and redirections.
#[derive(Clone, Debug, Tool)]
#[spec(concurrency_safe = false, destructive, open_world, state_injected)]
pub struct Bash {
    backend: Arc<dyn Backend>,
    options: RunOptions,
    runner: Runner,
    protected: Option<ProtectedPaths>,
}

impl Bash {
    /// Runs commands on this machine.
    #[cfg(all(feature = "local", unix))]
    #[must_use]
    pub fn local() -> Self {
        Self::on(crate::local())
    }

    /// Runs commands in that environment, with bash, or with `sh` where there is no bash.
    #[must_use]
    pub fn on(backend: Arc<dyn Backend>) -> Self {
        let options = RunOptions::default();
        let runner = Runner::new(Arc::clone(&backend), options.clone());
        Self { backend, options, runner, protected: None }
    }

    fn with(mut self, change: impl FnOnce(RunOptions) -> RunOptions) -> Self {
        self.options = change(self.options);
        self.runner = Runner::new(Arc::clone(&self.backend), self.options.clone());
        self
    }

    /// The directory that commands run in. Default: the environment's current directory.
    #[must_use]
    pub fn cwd(self, path: impl Into<String>) -> Self {
        self.with(|options| options.cwd(path))
    }

    /// Sets a variable for all commands.
    #[must_use]
    pub fn env(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.with(|options| options.env(name, value))
    }

    /// Takes a variable away from all commands.
    #[must_use]
    pub fn env_remove(self, name: impl Into<String>) -> Self {
        self.with(|options| options.env_remove(name))
    }

    /// How many characters of a command's output are given, half of them from its end. Default: 30,000.
    #[must_use]
    pub fn output_limit(self, characters: usize) -> Self {
        self.with(|options| options.output_limit(characters))
    }

    /// A command that changes the directory changes it for the next ones of the conversation, too.
    #[must_use]
    pub fn keep_cwd(self) -> Self {
        self.with(RunOptions::keep_cwd)
    }

    /// What a command leaves in the background goes on when the command ends. By default it is ended.
    #[must_use]
    pub fn keep_background(self) -> Self {
        self.with(RunOptions::keep_background)
    }

    /// Names of files that are only changed after somebody was asked, beside the usual ones.
    #[must_use]
    pub fn additional_dangerous_files(mut self, files: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.protected = Some(self.protected.unwrap_or_default().additional_files(files));
        self
    }

    /// Names of directories in which files are only changed after somebody was asked, beside the usual ones.
    #[must_use]
    pub fn additional_dangerous_directories(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.protected = Some(self.protected.unwrap_or_default().additional_directories(names));
        self
    }

    /// What the command does, read as the shell that will run it reads it. Without a shell, as bash does.
    async fn analysis(&self, args: &BashArgs) -> Analysis {
        let shell = self.runner.shell().await.unwrap_or(Shell::Bash);
        analyse(&args.command, shell)
    }

    /// Why a command that looks as if it only read may do more, if so.
    async fn hazard(&self, analysis: &Analysis, cwd: &str, inside: &(dyn Fn(&str) -> bool + Sync)) -> Option<String> {
        for command in &analysis.commands {
            for place in &command.places {
                let known = place.word.literal().and_then(|path| place.dirs.resolve(path));
                let known = known.unwrap_or_default();
                if known.is_empty() || !known.iter().all(|path| inside(&fold(&path::join(cwd, path)))) {
                    return Some(
                        "it works in a directory outside of the working directories, whose settings it may obey".into(),
                    );
                }
            }
            if command.argv.first().and_then(Word::literal).is_none_or(|name| name.rsplit('/').next() != Some("git")) {
                continue;
            }
            let places = command.places.iter().filter_map(|place| place.word.literal());
            let places = places.last().unwrap_or_default();
            let Some(directories) = command.dirs.resolve(places) else {
                return Some("the directory in which git runs is only known when the command runs".into());
            };
            for directory in directories {
                let hazards = self.runner.git_hazards(&fold(&path::join(cwd, &directory))).await;
                if let Some(hazard) = hazards.into_iter().next() {
                    return Some(hazard);
                }
            }
        }
        None
    }

    async fn cwd_of(&self) -> Option<String> {
        // Where a conversation has moved to is known to its calls alone; its paths are resolved from there when it runs.
        let chosen = self.options.chosen_cwd();
        match chosen {
            Some(path) if path.starts_with('/') => Some(path),
            other => {
                let base = self.backend.cwd().await.ok()?;
                Some(other.map_or_else(|| base.clone(), |path| path::join(&base, &path)))
            }
        }
    }

    /// The paths of a word, absolute; nothing when they are only known when the command runs.
    fn paths(&self, touched: &Touched, cwd: &str, home: Option<&str>) -> Option<Vec<String>> {
        if let Some(rest) = touched.word.home_relative() {
            return home.map(|home| vec![path::join(home, rest)]);
        }
        let text = match touched.word.literal() {
            Some(text) => text.to_owned(),
            None => pattern_text(&touched.word)?,
        };
        let paths = touched.dirs.resolve(&text)?;
        Some(paths.into_iter().map(|path| path::join(cwd, &path)).collect())
    }
}

/// A word with a pattern in it as text, if it stands for names in a known directory and none that is hidden.
fn pattern_text(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in word.parts() {
        match part {
            Part::Text(part) | Part::Glob(part) => text.push_str(part),
            Part::Unknown { .. } => return None,
        }
    }
    let hidden = |name: &str| name.starts_with('.') && name.contains(['*', '?', '[']);
    (!text.split('/').any(hidden) && !text.starts_with(['*', '?', '['].as_slice()) || !text.contains('/'))
        .then_some(text)
        .filter(|text| !text.split('/').any(hidden))
}

/// An absolute path without `.` and `..`, as text.
fn fold(path: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

fn is_within(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path == directory || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/')) || directory.is_empty()
}

impl ToolBody for Bash {
    type Args = BashArgs;
    type Output = ToolStream;

    async fn call(&self, args: BashArgs, cx: ToolContext) -> ToolStream {
        self.runner.run(args, &cx)
    }

    async fn footprint(&self, args: &BashArgs) -> Footprint {
        let analysis = self.analysis(args).await;
        let mut footprint = Footprint::on(Arc::clone(&self.backend));
        if let Some(protected) = &self.protected {
            footprint = footprint.with_protected_paths(protected.clone());
        }
        if let Some(fault) = &analysis.fault {
            return footprint.and_unknown(fault.to_string());
        }
        let Some(cwd) = self.cwd_of().await else {
            return footprint.and_unknown("the current directory is not known");
        };
        let home = self.backend.home().await.ok();
        for command in &analysis.commands {
            if !command.argv.is_empty() {
                let words = command.argv.iter().map(|word| word.literal().unwrap_or("?").to_owned());
                footprint = footprint.runs(words);
            }
            if command.argv.first().is_some_and(|program| program.literal().is_none()) {
                footprint = footprint.and_unknown("the program is only known when the command runs");
            }
            for (touched, writes) in
                command.reads.iter().map(|read| (read, false)).chain(command.writes.iter().map(|write| (write, true)))
            {
                match self.paths(touched, &cwd, home.as_deref()) {
                    Some(paths) => {
                        for path in paths {
                            footprint = if writes { footprint.writes(path) } else { footprint.reads(path) };
                        }
                    }
                    None => footprint = footprint.and_unknown("a path is only known when the command runs"),
                }
            }
        }
        if let Some(note) = analysis.notes.first() {
            footprint = footprint.and_unknown(note.text.clone());
        }
        footprint
    }

    async fn check_permissions(&self, args: &BashArgs, cx: &PermissionContext) -> PermissionDecision {
        let analysis = self.analysis(args).await;
        let shown = |reason: &str, span: super::Span| {
            let text = span.of(&args.command).trim();
            let short: String = text.chars().take(80).collect();
            if short.is_empty() { reason.to_owned() } else { format!("`{short}`: {reason}") }
        };
        if let Some(fault) = &analysis.fault {
            return PermissionDecision::ask(shown(&fault.to_string(), fault.span)).bypass_immune();
        }
        if let Some((danger, span)) = analysis.danger() {
            return PermissionDecision::ask(shown(danger, span)).bypass_immune();
        }
        let Some(cwd) = self.cwd_of().await else {
            return PermissionDecision::ask("the current directory is not known");
        };
        let directories: Vec<String> = std::iter::once(fold(&cwd))
            .chain(cx.working_directories().map(|directory| fold(&path::join(&cwd, &directory.path))))
            .collect();
        let home = self.backend.home().await.ok();
        for command in &analysis.commands {
            for removed in command.writes.iter().filter(|write| write.is_removed) {
                let paths = self.paths(removed, &cwd, home.as_deref()).unwrap_or_default();
                if paths.iter().any(|path| directories.iter().any(|directory| is_within(directory, &fold(path)))) {
                    let reason = "it removes a working directory, or one that holds it; name the single files instead";
                    return PermissionDecision::ask(shown(reason, command.span)).bypass_immune();
                }
            }
        }
        let inside = |path: &str| directories.iter().any(|directory| is_within(path, directory));
        let hazard = self.hazard(&analysis, &cwd, &inside).await;
        if analysis.is_read_only() && hazard.is_none() {
            return PermissionDecision::allow("the command only reads");
        }
        let edits = matches!(cx.mode(), PermissionMode::AcceptEdits | PermissionMode::DontAsk);
        if edits && hazard.is_none() && analysis.is_edit() && cx.footprint().is_inside_working_directories() {
            return PermissionDecision::allow("the command only changes files inside of the working directories");
        }
        match (hazard, analysis.obstacle()) {
            (_, Some((reason, span))) => PermissionDecision::ask(shown(reason, span)),
            (Some(hazard), None) => PermissionDecision::ask(hazard),
            (None, None) => PermissionDecision::passthrough(),
        }
    }

    async fn check_read_only(&self, args: &BashArgs) -> bool {
        let analysis = self.analysis(args).await;
        let Some(cwd) = self.cwd_of().await else { return false };
        let folded = fold(&cwd);
        analysis.is_read_only() && self.hazard(&analysis, &cwd, &|path| is_within(path, &folded)).await.is_none()
    }

    fn match_rule(&self, rule: &PermissionRule, args: &BashArgs, _: &Footprint) -> bool {
        let Some(content) = rule.content() else { return true };
        let pattern = Pattern::new(content);
        // What both shells read alike is known; what only one does is a fault for the other.
        let read = [Shell::Bash, Shell::Posix].map(|shell| analyse(&args.command, shell));
        match rule.behavior() {
            PermissionBehavior::Allow => pattern.covers(&read[0]),
            _ => read.iter().any(|analysis| pattern.hits(analysis)),
        }
    }

    fn generate_suggestions(&self, args: &BashArgs, _: &Footprint) -> Vec<PermissionRule> {
        let contents = rule::suggestions(&analyse(&args.command, Shell::Bash));
        let rule = |content| {
            PermissionRule::whole_tool("Bash", PermissionBehavior::Allow).with_content(content).with_source("suggested")
        };
        contents.into_iter().map(rule).collect()
    }
}

/// What the analysis says of a command text, for a person: one line for each command in it, and what follows from that.
///
/// ```
/// use agentscope_tool_builtins::bash::{self, Shell};
///
/// let text = bash::explain("git log | tee log.txt", Shell::Bash);
/// assert!(text.starts_with("asks"), "{text}");
/// ```
#[must_use]
pub fn explain(command: &str, shell: Shell) -> String {
    let analysis = analyse(command, shell);
    let mut text = match (analysis.is_read_only(), analysis.danger()) {
        (true, _) => "runs by itself: it only reads".to_owned(),
        (_, Some(_)) => "asks, whatever the rules say".to_owned(),
        _ if analysis.fault.is_some() => "asks, whatever the rules say: it is not understood".to_owned(),
        _ if analysis.is_edit() => {
            "changes files: runs by itself only inside of working directories, in the modes for that".to_owned()
        }
        _ => "asks".to_owned(),
    };
    for command_judged in &analysis.commands {
        let shown = command_judged.span.of(command).trim();
        let what = match &command_judged.level {
            Level::ReadOnly => "only reads",
            Level::Edit => "changes files",
            Level::Other(reason) | Level::Dangerous(reason) => reason,
        };
        text.push_str(&format!("\n  {shown}: {what}"));
    }
    for note in &analysis.notes {
        text.push_str(&format!("\n  {}: {}", note.span.of(command).trim(), note.text));
    }
    if let Some(fault) = &analysis.fault {
        text.push_str(&format!("\n  {}: {fault}", fault.span.of(command).trim()));
    }
    text
}
