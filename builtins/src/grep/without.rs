//! Searching in another environment that has no ripgrep: with its `grep` where that understands the pattern, else by
//! reading one file after the other.

use agentscope_tool::ToolError;
use agentscope_tool::backend::{Backend, BackendErrorKind, Command};

use super::content::Content;
use super::query::{GrepOutput, Query};
use super::rg::{absolute, counted};
use super::scan::Scanner;
use super::survey::{Results, Survey};
use super::syntax;
use crate::search::find::{Wanted, files};
use crate::search::run::{Ran, run};
use crate::search::unreadable::Unreadable;
use crate::search::watch::Watch;
use crate::search::{Limits, name, place};

/// How many bytes of paths one `grep` is given.
const MAX_ARGUMENTS: usize = 64 * 1024;
/// The largest file that is read to be searched here, in bytes.
const MAX_FILE: u64 = 8 * 1024 * 1024;

/// Searches the file or the directory of the query.
pub(super) async fn search(
    backend: &dyn Backend,
    query: &Query,
    single: bool,
    limits: Limits,
    watch: &Watch,
) -> Result<Results, ToolError> {
    let (directory, paths, mut unreadable) = if single {
        let (directory, name) = place::parts(&query.base);
        (directory, vec![name.as_bytes().to_vec()], Unreadable::default())
    } else {
        let mut paths = Vec::new();
        let wanted = Wanted { root: &query.base, depth: None, links: false, vcs: false };
        let unreadable = files(backend, wanted, watch, |file| {
            if query.filter.takes_below(&file.path) {
                paths.push(file.path);
            }
            true
        });
        let unreadable = unreadable.await?;
        paths.sort_unstable_by(|one, other| name::compare(one, other));
        (query.base.as_str(), paths, unreadable)
    };

    let mut texts = Vec::with_capacity(paths.len());
    for path in paths {
        match String::from_utf8(path) {
            Ok(path) => texts.push(path),
            Err(error) => {
                unreadable.push(&place::below(directory.as_bytes(), error.as_bytes()), "its name is not UTF-8");
            }
        }
    }
    watch.begin_grace();
    let mut search = Search {
        backend,
        query,
        directory,
        single,
        watch,
        survey: Survey::new(query, limits.output),
        content: Content::new(query, limits.output, 0),
        unreadable,
    };
    if !search.with_grep(&texts).await? {
        search.by_reading(&texts).await?;
    }
    Ok(match query.mode {
        GrepOutput::Content => Results::of_content(search.content, Some(texts.len() as u64), search.unreadable),
        GrepOutput::FilesWithMatches | GrepOutput::Count => {
            search.survey.unreadable = search.unreadable;
            Results { searched: Some(texts.len() as u64), ..search.survey.into_results() }
        }
    })
}

struct Search<'s> {
    backend: &'s dyn Backend,
    query: &'s Query,
    directory: &'s str,
    single: bool,
    watch: &'s Watch,
    survey: Survey<'s>,
    content: Content<'s>,
    unreadable: Unreadable,
}

impl Search<'_> {
    /// False if there is no `grep` that could do it; then nothing was found yet.
    async fn with_grep(&mut self, paths: &[String]) -> Result<bool, ToolError> {
        let Some((syntax, pattern)) = syntax::for_grep(self.query) else { return Ok(false) };
        let mut rest = paths;
        let mut works = false;
        while !rest.is_empty() && !self.watch.stops() {
            let mut size = 0;
            let fits = |path: &&String| {
                size += path.len() + 3;
                size <= MAX_ARGUMENTS
            };
            let (batch, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            rest = after;
            let Some(batch) = self.text_files(batch).await? else { return Ok(false) };
            if batch.is_empty() {
                continue;
            }
            match self.take(self.grep(syntax, &pattern).args(batch)).await? {
                Ran::Exited(0 | 1, _) => works = true,
                Ran::Exited(_, complaints) if works || is_about_files(&complaints) => {
                    works = true;
                    self.note(&complaints);
                }
                Ran::Stopped => return Ok(true),
                Ran::Missing | Ran::Exited(..) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Those of the files that are text, as arguments; nothing if `grep` cannot tell. Where characters have to be UTF-8, it
    /// would take a text with other bytes for binary, so that this is asked where characters are bytes.
    async fn text_files(&mut self, paths: &[String]) -> Result<Option<Vec<String>>, ToolError> {
        let command = Command::new("grep")
            .cwd(self.directory)
            .env("LC_ALL", "C")
            .args(["--files-with-matches", "--binary-files=without-match", "--null", "--regexp=", "--"])
            .args(paths.iter().map(|path| format!("./{path}")));
        let mut texts = Vec::new();
        let ran = run(self.backend, command, b"\0", self.watch, |record| {
            texts.extend(record.and_then(|path| String::from_utf8(path.to_vec()).ok()));
            true
        });
        match ran.await? {
            Ran::Exited(0 | 1, _) | Ran::Stopped => {}
            Ran::Exited(_, complaints) if is_about_files(&complaints) => self.note(&complaints),
            Ran::Missing | Ran::Exited(..) => return Ok(None),
        }
        // That the one file is binary is shown if it matches.
        Ok(Some(texts).filter(|texts| !self.single || !texts.is_empty()))
    }

    fn grep(&self, syntax: &str, pattern: &str) -> Command {
        let mut command = Command::new("grep").cwd(self.directory).env("LC_ALL", "C.UTF-8").env_remove("GREP_OPTIONS");
        command = command.args([syntax, "--color=never", "--text", "--null", "--with-filename"]);
        if self.query.ignore_case {
            command = command.arg("--ignore-case");
        }
        command = match self.query.mode {
            GrepOutput::Content => command.args([
                "--line-number".into(),
                format!("--before-context={}", self.query.before),
                format!("--after-context={}", self.query.after),
            ]),
            GrepOutput::FilesWithMatches => command.arg("--files-with-matches"),
            GrepOutput::Count => command.arg("--count"),
        };
        command.arg(format!("--regexp={pattern}")).arg("--")
    }

    async fn take(&mut self, command: Command) -> Result<Ran, ToolError> {
        let (directory, mode) = (self.directory, self.query.mode);
        let (survey, content) = (&mut self.survey, &mut self.content);
        let with_path = !self.single || self.query.numbers;
        let separator = if mode == GrepOutput::FilesWithMatches { b"\0" } else { b"\n" };
        let (mut pending, mut last) = (Vec::new(), Vec::new());
        let taken = run(self.backend, command, separator, self.watch, |record| {
            let Some(record) = record else { return true };
            match mode {
                GrepOutput::FilesWithMatches => survey.take(&absolute(directory, record), 1),
                GrepOutput::Count => match counted(&mut pending, record) {
                    Some((path, count)) => survey.take(&absolute(directory, &path), count),
                    None => true,
                },
                GrepOutput::Content => {
                    // Between groups of lines; a path starts with `./`.
                    if pending.is_empty() && record == b"--" {
                        return true;
                    }
                    let record = [std::mem::take(&mut pending).as_slice(), record].concat();
                    let Some((path, number, matches, line)) = line_of(&record) else {
                        // The path holds an end of line.
                        pending = [&record[..], b"\n"].concat();
                        return true;
                    };
                    if path != last {
                        last = path.to_vec();
                        content.file(with_path.then_some(&absolute(directory, path)));
                    }
                    if matches { content.matched(number, line) } else { content.context(number, line) }
                }
            }
        });
        taken.await
    }

    fn note(&mut self, complaints: &str) {
        for line in complaints.lines() {
            if let Some((path, reason)) = line.strip_prefix("grep: ./").and_then(|line| line.rsplit_once(": ")) {
                self.unreadable.push(&absolute(self.directory, path.as_bytes()), reason.to_lowercase());
            }
        }
    }

    async fn by_reading(&mut self, paths: &[String]) -> Result<(), ToolError> {
        let mut scanner = Scanner::with_lines(self.query, self.watch, self.single);
        for path in paths {
            if self.watch.stops() {
                return Ok(());
            }
            let shown = absolute(self.directory, path.as_bytes());
            let bytes = match self.backend.read(&self.backend.join(self.directory, path), MAX_FILE).await {
                Ok(content) => content.bytes,
                Err(error) if error.kind() == BackendErrorKind::NotFound => continue,
                Err(error) => {
                    self.unreadable.push(&shown, error.reason());
                    continue;
                }
            };
            let goes_on = match self.query.mode {
                GrepOutput::Content => {
                    self.content.file((!self.single || self.query.numbers).then_some(&shown));
                    let _ = scanner.show_bytes(&bytes, &mut self.content);
                    !(self.content.is_full() && self.content.more)
                }
                GrepOutput::FilesWithMatches | GrepOutput::Count => {
                    let count = scanner.count_bytes(&bytes, Survey::most(self.query)).unwrap_or_default();
                    self.survey.take(&shown, count)
                }
            };
            if !goes_on {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Whether all that `grep` says is which files it could not read.
fn is_about_files(complaints: &str) -> bool {
    !complaints.is_empty() && complaints.lines().all(|line| line.starts_with("grep: ./"))
}

/// The path, the number, whether it matches, and the text: `path`, NUL, `7:text` or `7-text`.
fn line_of(record: &[u8]) -> Option<(&[u8], u64, bool, &[u8])> {
    let nul = record.iter().position(|byte| *byte == 0)?;
    let (path, rest) = (&record[..nul], &record[nul + 1..]);
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let sign = rest.get(digits)?;
    Some((path, number, *sign == b':', &rest[digits + 1..]))
}
