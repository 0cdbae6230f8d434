//! What the analysis says of a command, for a person.

use std::fmt::Write as _;

use super::analysis::Level;
use super::{Shell, analyse};

/// What the analysis says of a command text, for a person: what follows from it, then a line for each command in it.
///
/// ```
/// use agentscope_tool_builtins::bash::{self, Shell};
///
/// let text = bash::explain("git log | tee log.txt", Shell::Bash);
/// assert_eq!(
///     text,
///     "asks
///   git log: only reads
///   tee log.txt: `tee` changes files"
/// );
/// ```
#[must_use]
pub fn explain(command: &str, shell: Shell) -> String {
    let analysis = analyse(command, shell);
    let verdict = if analysis.is_read_only() {
        "runs by itself: it only reads"
    } else if analysis.fault.is_some() {
        "asks, whatever the rules say: it is not understood"
    } else if analysis.danger().is_some() {
        "asks, whatever the rules say"
    } else if analysis.is_edit() {
        "changes files: runs by itself inside of the working directories, in the modes for that"
    } else {
        "asks"
    };
    let mut text = verdict.to_owned();
    let mut line = |place: &str, what: &str| {
        let place = if place.trim().is_empty() { "at the end" } else { place.trim() };
        let _ = write!(text, "\n  {}: {what}", place.escape_debug());
    };
    for judged in &analysis.commands {
        let what = match &judged.level {
            Level::ReadOnly => "only reads",
            Level::Edit => "changes files",
            Level::Other(reason) | Level::Dangerous(reason) => reason,
        };
        line(judged.span.of(command), what);
    }
    for note in &analysis.notes {
        line(note.span.of(command), &note.text);
    }
    if let Some(fault) = &analysis.fault {
        line(fault.span.of(command), &fault.to_string());
    }
    text
}
