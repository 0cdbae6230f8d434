//! Searching in another environment with its ripgrep.

use agentscope_tool::ToolError;
use agentscope_tool::backend::{Backend, Command};
use agentscope_tool::serde_json::{self, Value};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::content::Content;
use super::query::{GrepOutput, Query};
use super::survey::{Results, Survey};
use crate::search::filter::VCS;
use crate::search::run::{Ran, run};
use crate::search::unreadable::Unreadable;
use crate::search::watch::Watch;
use crate::search::{Limits, place, virtual_fs};

/// Searches the file or the directory of the query; nothing if there is no `rg`.
pub(super) async fn search(
    backend: &dyn Backend,
    query: &Query,
    single: bool,
    limits: Limits,
    watch: &Watch,
) -> Result<Option<Results>, ToolError> {
    let (directory, target) = if single { place::parts(&query.base) } else { (query.base.as_str(), "") };
    let command = command(query, target, limits.gitignore).cwd(directory);
    let mut survey = Survey::new(query, limits.output);
    let mut content = Content::new(query, limits.output, 0);
    let mut events = Events { directory, single, content: &mut content, notes: Vec::new(), any: false };
    let mut too_long = false;
    let mut pending = Vec::new();
    let separator = if query.mode == GrepOutput::FilesWithMatches { b"\0" } else { b"\n" };

    let ran = run(backend, command, separator, watch, |record| {
        let Some(record) = record else {
            too_long = true;
            return true;
        };
        match query.mode {
            GrepOutput::Content => events.take(record),
            GrepOutput::FilesWithMatches => survey.take(&absolute(directory, record), 1),
            GrepOutput::Count => match counted(&mut pending, record) {
                Some((path, count)) => survey.take(&absolute(directory, &path), count),
                None => true,
            },
        }
    });
    let ran = ran.await?;
    let (any, mut notes) = (events.any || !survey.hits.is_empty(), events.notes);
    let mut unreadable = Unreadable::default();
    match ran {
        Ran::Missing => return Ok(None),
        Ran::Exited(0 | 1, _) | Ran::Stopped => {}
        Ran::Exited(code, complaints) => note(&complaints, any, directory, &mut unreadable)
            .map_err(|complaint| ToolError::failed(format!("`rg` failed with code {code}: {complaint}")))?,
    }
    if too_long {
        notes.push("a line was too long to be looked at, and is left out".into());
    }
    let mut results = match query.mode {
        GrepOutput::Content => Results::of_content(content, None, unreadable),
        GrepOutput::FilesWithMatches | GrepOutput::Count => {
            survey.unreadable = unreadable;
            Results { searched: None, ..survey.into_results() }
        }
    };
    results.notes = notes;
    Ok(Some(results))
}

/// The same search as in process. What is left to the user's own configuration is set, so that it cannot change anything.
fn command(query: &Query, target: &str, gitignore: bool) -> Command {
    let mut command = Command::new("rg").env_remove("RIPGREP_CONFIG_PATH").args([
        "--no-config",
        "--hidden",
        "--no-follow",
        "--color=never",
        "--sort=path",
        "--crlf",
        "--case-sensitive",
    ]);
    command =
        if gitignore { command.args(["--no-ignore-dot", "--no-ignore-global"]) } else { command.arg("--no-ignore") };
    if query.ignore_case {
        command = command.arg("--ignore-case");
    }
    if query.multiline {
        command = command.arg("--multiline");
    }
    if query.dot_all {
        command = command.arg("--multiline-dotall");
    }
    command = match query.mode {
        GrepOutput::Content => command.args([
            "--json".into(),
            format!("--before-context={}", query.before),
            format!("--after-context={}", query.after),
        ]),
        GrepOutput::FilesWithMatches => command.args(["--files-with-matches", "--null"]),
        GrepOutput::Count => command.args(["--count", "--with-filename", "--null"]),
    };
    if let Some(name) = query.filter.file_type() {
        command = command.arg(format!("--type={name}"));
    }
    let virtual_fs = virtual_fs::NAMES.iter().filter(|_| query.base == "/").map(|name| format!("!/{name}"));
    for glob in query.filter.globs().chain(virtual_fs).chain(VCS.iter().map(|name| format!("!{name}"))) {
        command = command.arg(format!("--glob={glob}"));
    }
    command.arg(format!("--regexp={}", query.pattern)).args(["--", &format!("./{target}")])
}

/// The path under which a file is shown that `rg` calls `./name`.
pub(super) fn absolute(directory: &str, path: &[u8]) -> Vec<u8> {
    place::below(directory.as_bytes(), path.strip_prefix(b"./").unwrap_or(path))
}

/// A path and its count, which come as `path`, NUL, `count`; the path may hold an end of line.
pub(super) fn counted(pending: &mut Vec<u8>, record: &[u8]) -> Option<(Vec<u8>, u64)> {
    pending.extend_from_slice(record);
    let Some(nul) = pending.iter().rposition(|byte| *byte == 0) else {
        pending.push(b'\n');
        return None;
    };
    let count = std::str::from_utf8(&pending[nul + 1..]).ok()?.trim().parse().ok()?;
    let path = pending[..nul].to_vec();
    pending.clear();
    Some((path, count))
}

/// Takes what `rg` complained about as files that it could not read.
///
/// # Errors
/// With the complaints, if they are about something else and nothing was found.
fn note(complaints: &str, any: bool, directory: &str, unreadable: &mut Unreadable) -> Result<(), String> {
    let mut others = Vec::new();
    for line in complaints.lines().filter(|line| !line.trim().is_empty()) {
        let line = line.strip_prefix("rg: ").unwrap_or(line);
        let reason = line.rsplit_once(" (os error ").and_then(|(rest, _)| rest.split_once(": "));
        match reason {
            Some((path, reason)) if path.starts_with("./") => {
                let reason = reason.rsplit(": ").next().unwrap_or(reason);
                unreadable.push(&absolute(directory, path.as_bytes()), reason.to_lowercase());
            }
            _ => others.push(line),
        }
    }
    if others.is_empty() || any { Ok(()) } else { Err(others.join("\n")) }
}

/// The events that `rg --json` tells, one a line.
struct Events<'e, 'q> {
    directory: &'e str,
    single: bool,
    content: &'e mut Content<'q>,
    notes: Vec<String>,
    any: bool,
}

impl Events<'_, '_> {
    /// False when no more is needed.
    fn take(&mut self, record: &[u8]) -> bool {
        let Ok(event) = serde_json::from_slice::<Value>(record) else { return true };
        let data = &event["data"];
        match event["type"].as_str() {
            Some("begin") => {
                let path = absolute(self.directory, &bytes(&data["path"]));
                self.content.file((!self.single || self.content.has_numbers()).then_some(&path));
                true
            }
            Some("match") => {
                self.any = true;
                self.content.matched(number(data), &bytes(&data["lines"]))
            }
            Some("context") => self.content.context(number(data), &bytes(&data["lines"])),
            Some("end") => {
                if let Some(offset) = data["binary_offset"].as_u64() {
                    self.binary(offset, &absolute(self.directory, &bytes(&data["path"])));
                }
                true
            }
            _ => true,
        }
    }

    fn binary(&mut self, offset: u64, path: &[u8]) {
        if self.single {
            self.content.only_binary(offset);
        } else if self.notes.len() < 3 {
            self.notes.push(super::local::binary_note(path, offset));
        }
    }
}

fn number(data: &Value) -> u64 {
    data["line_number"].as_u64().unwrap_or_default()
}

/// What is UTF-8 comes as `text`, other bytes come in base64.
fn bytes(data: &Value) -> Vec<u8> {
    match (data["text"].as_str(), data["bytes"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (_, Some(encoded)) => STANDARD.decode(encoded).unwrap_or_default(),
        _ => Vec::new(),
    }
}
