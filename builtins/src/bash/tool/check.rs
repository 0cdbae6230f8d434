//! What is decided about a command, step by step. Every step looks at what was understood, none at the text.

use agentscope_tool::backend::path;
use agentscope_tool::{Footprint, PermissionContext, PermissionDecision, PermissionMode, ProtectedPaths};

use super::super::analysis::{Analysis, Extent, Judged, Level};
use super::super::run::Runner;
use super::super::{Span, Word};
use super::place::Place;

/// One command on its way through the steps.
pub(super) struct Check<'a> {
    pub(super) text: &'a str,
    pub(super) analysis: &'a Analysis,
    pub(super) place: Place<'a>,
    pub(super) runner: &'a Runner,
}

impl Check<'_> {
    /// What the command touches, as far as that is known.
    pub(super) async fn footprint(&self, empty: Footprint, protected: Option<&ProtectedPaths>) -> Footprint {
        let mut footprint = match protected {
            Some(protected) => empty.with_protected_paths(protected.clone()),
            None => empty,
        };
        if let Some(fault) = &self.analysis.fault {
            return footprint.and_unknown(fault.to_string());
        }
        for command in &self.analysis.commands {
            if !command.argv.is_empty() {
                footprint = footprint.runs(command.argv.iter().map(|word| word.literal().unwrap_or("?").to_owned()));
            }
            if command.argv.first().is_some_and(|program| program.literal().is_none()) {
                footprint = footprint.and_unknown("the program is only known when the command runs");
            }
            for read in &command.reads {
                footprint = match self.place.paths(read).await {
                    Some(paths) => paths.into_iter().fold(footprint, |footprint, path| match read.extent {
                        Extent::Below => footprint.reads_below(path),
                        Extent::Alone | Extent::Removed => footprint.reads(path),
                    }),
                    None => footprint.and_unknown_reads("a file to read is only known when the command runs"),
                };
            }
            for write in &command.writes {
                footprint = match self.place.paths(write).await {
                    Some(paths) => paths.into_iter().fold(footprint, |footprint, path| match write.extent {
                        Extent::Removed => footprint.removes(path),
                        Extent::Alone | Extent::Below => footprint.writes(path),
                    }),
                    None => footprint.and_unknown("a file to write is only known when the command runs"),
                };
            }
        }
        match self.analysis.notes.first() {
            Some(note) => footprint.and_unknown(note.text.clone()),
            None => footprint,
        }
    }

    /// The tool's own say: a safety ask, what runs by itself, or nothing.
    pub(super) async fn decide(&self, cx: &PermissionContext) -> PermissionDecision {
        if let Some(fault) = &self.analysis.fault {
            return PermissionDecision::ask(self.about(&fault.to_string(), fault.span)).bypass_immune();
        }
        if let Some((danger, span)) = self.analysis.danger() {
            return PermissionDecision::ask(self.about(danger, span)).bypass_immune();
        }
        let directories = self.directories(cx);
        if let Some(command) = self.removes_one_of(&directories).await {
            let reason = "it removes a working directory, or one that holds it; name the single files instead";
            return PermissionDecision::ask(self.about(reason, command.span)).bypass_immune();
        }
        let hazard = self.hazard(&directories).await;
        if self.analysis.is_read_only() && hazard.is_none() {
            return PermissionDecision::allow("the command only reads");
        }
        let edits = matches!(cx.mode(), PermissionMode::AcceptEdits | PermissionMode::DontAsk);
        if edits
            && hazard.is_none()
            && self.analysis.is_edit()
            && cx.footprint().is_inside_working_directories()
            && !self.writes_through_moved().await
        {
            return PermissionDecision::allow("the command only changes files inside of the working directories");
        }
        match (self.analysis.obstacle(), hazard) {
            (Some((reason, span)), _) => PermissionDecision::ask(self.about(reason, span)),
            (None, Some(hazard)) => PermissionDecision::ask(hazard),
            (None, None) => PermissionDecision::passthrough(),
        }
    }

    /// Whether everything is known and only reads, also by the settings of the directories that it works in.
    pub(super) async fn is_read_only(&self) -> bool {
        let directories: Vec<String> = self.place.cwd.iter().map(|cwd| fold(cwd)).collect();
        self.analysis.is_read_only() && self.hazard(&directories).await.is_none()
    }

    /// A reason with the part of the text that it is about.
    fn about(&self, reason: &str, span: Span) -> String {
        const SHOWN: usize = 80;
        let text = span.of(self.text).trim();
        let short: String = text.chars().take(SHOWN).collect();
        let more = if short.len() < text.len() { "…" } else { "" };
        if short.is_empty() { reason.to_owned() } else { format!("`{short}{more}`: {reason}") }
    }

    fn directories(&self, cx: &PermissionContext) -> Vec<String> {
        let named = cx.working_directories().filter_map(|directory| self.place.absolute(&directory.path));
        self.place.cwd.iter().cloned().chain(named).map(|path| fold(&path)).collect()
    }

    async fn removes_one_of(&self, directories: &[String]) -> Option<&Judged> {
        for command in &self.analysis.commands {
            for removed in command.writes.iter().filter(|write| write.extent == Extent::Removed) {
                let paths = self.place.paths(removed).await.unwrap_or_default();
                if paths.iter().any(|path| directories.iter().any(|directory| is_within(directory, &fold(path)))) {
                    return Some(command);
                }
            }
        }
        None
    }

    /// Whether a command writes through what another one has put there: that may be a link which was moved or copied, and
    /// nobody has looked where it leads.
    async fn writes_through_moved(&self) -> bool {
        let mut written: Vec<(usize, bool, String)> = Vec::new();
        for (index, command) in self.analysis.commands.iter().enumerate() {
            let moves = matches!(command.argv.first().and_then(Word::literal), Some("mv" | "cp"));
            for write in &command.writes {
                let is_target = moves && write.extent != Extent::Removed;
                for path in self.place.paths(write).await.unwrap_or_default() {
                    written.push((index, is_target, fold(&path)));
                }
            }
        }
        let targets = written.iter().filter(|(_, is_target, _)| *is_target);
        targets
            .into_iter()
            .any(|(mover, _, target)| written.iter().any(|(other, _, path)| other != mover && is_within(path, target)))
    }

    /// Why a command that looks as if it only read may do more, if so: by the settings of a directory that it works in.
    async fn hazard(&self, directories: &[String]) -> Option<String> {
        for command in &self.analysis.commands {
            for place in &command.places {
                let known = self.place.paths(place).await.unwrap_or_default();
                let inside = |path: &String| directories.iter().any(|directory| is_within(&fold(path), directory));
                if known.is_empty() || !known.iter().all(inside) {
                    let reason =
                        "it works in a directory outside of the working directories, whose settings it may obey";
                    return Some(self.about(reason, command.span));
                }
            }
            let is_git = command.argv.first().and_then(Word::literal).is_some_and(|name| base_name(name) == "git");
            if !is_git || command.level != Level::ReadOnly {
                continue;
            }
            let place = command.places.last().map_or(Some(""), |place| place.word.literal());
            let starts = place.and_then(|place| command.dirs.resolve(place)).unwrap_or_default();
            let starts: Option<Vec<String>> = starts.iter().map(|path| self.place.absolute(path)).collect();
            let Some(starts) = starts.filter(|starts| !starts.is_empty()) else {
                let reason = "the directory in which git runs is only known when the command runs";
                return Some(self.about(reason, command.span));
            };
            for directory in starts {
                if let Some(hazard) = self.runner.git_hazards(&directory).await.into_iter().next() {
                    return Some(self.about(&hazard, command.span));
                }
            }
        }
        None
    }
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
    path::join("/", &names.join("/"))
}

fn is_within(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
