//! What a command text does as a whole: every command in it, also those that run in turn, judged one by one.

mod dirs;
mod walk;

use super::catalogue::{Catalogue, Danger, Reason};
use super::{Fault, Shell, Span, Word, parse};

use dirs::Dirs;
use walk::Walker;

/// How deep commands that run other commands are followed.
const DEPTH: usize = 8;

/// What a command text does, as far as that can be known without running it.
///
/// ```
/// use agentscope_tool_builtins::bash::{self, Shell};
///
/// assert!(bash::analyse("git log --oneline | head -5", Shell::Bash).is_read_only());
/// assert!(!bash::analyse("git log > log.txt", Shell::Bash).is_read_only());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// Why the rest of the text is not known, if so.
    pub(super) fault: Option<Fault>,
    pub(super) commands: Vec<Judged>,
    /// What keeps the whole from being harmless, beside the commands' own verdicts.
    pub(super) notes: Vec<Note>,
}

/// One command, with what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judged {
    /// The program and its arguments.
    pub(super) argv: Vec<Word>,
    /// The variables that are set for it.
    pub(super) variables: Vec<String>,
    pub(super) level: Level,
    pub(super) reads: Vec<Touched>,
    pub(super) writes: Vec<Touched>,
    /// Directories whose settings it obeys.
    pub(super) places: Vec<Touched>,
    /// If another command runs it, and no shell: where in the argv of that one it begins.
    pub(super) inner_at: Option<usize>,
    /// Whether it only runs another command as that is, such as `timeout`.
    pub(super) is_transparent: bool,
    /// Behind the last of the commands that it runs in turn, which stand behind it.
    pub(super) end: usize,
    /// The directories in which it may start.
    pub(super) dirs: Dirs,
    pub(super) span: Span,
}

/// How far a command may go by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Level {
    ReadOnly,
    Edit,
    Other(String),
    Dangerous(String),
}

impl Level {
    pub(super) fn other(reason: &Reason) -> Self {
        Self::Other(reason.to_string())
    }

    pub(super) fn danger(danger: Danger) -> Self {
        Self::Dangerous(danger.to_string())
    }
}

/// A path of a command, as a word and with the directories from which it may be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Touched {
    pub(super) word: Word,
    pub(super) dirs: Dirs,
    /// How much of it: the path alone, or what lies below as well.
    pub(super) extent: Extent,
}

/// What happens to what lies below a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Nothing.
    Alone,
    /// It is read as well.
    Below,
    /// It is removed as well.
    Removed,
}

/// Something outside of commands that is not harmless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) is_danger: bool,
}

/// Reads a command text and judges all that it would run.
#[must_use]
pub fn analyse(text: &str, shell: Shell) -> Analysis {
    Analysis::of(text, shell, Catalogue::built_in())
}

impl Analysis {
    /// What a command text does, by what is known of commands.
    pub(super) fn of(text: &str, shell: Shell, known: &Catalogue) -> Self {
        let script = parse(text, shell);
        let mut walker = Walker::new(shell, known);
        walker.list(&script.list, &mut Dirs::start(), 0);
        Self { fault: script.fault, ..walker.finish() }
    }

    /// Whether everything in it is known, and only reads.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.fault.is_none()
            && self.notes.is_empty()
            && self.commands.iter().all(|command| command.level == Level::ReadOnly)
    }

    /// Why the text, or the rest of it, is not understood, if so.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The commands that would run, those included that others run in turn, each with the program first. Behind a
    /// [fault](Self::fault) there may be more.
    pub fn commands(&self) -> impl Iterator<Item = &[Word]> {
        self.commands.iter().map(|command| command.argv.as_slice()).filter(|argv| !argv.is_empty())
    }

    /// Whether everything in it is known, and only reads or changes files that are named.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        self.fault.is_none()
            && self.notes.is_empty()
            && self.commands.iter().all(|command| matches!(command.level, Level::ReadOnly | Level::Edit))
    }

    /// Why somebody has to be asked whatever the rules say, if so, and where in the text; beside a [fault](Self::fault), which
    /// is such a reason as well.
    #[must_use]
    pub fn danger(&self) -> Option<(&str, Span)> {
        let commands = self.commands.iter().filter_map(|command| match &command.level {
            Level::Dangerous(danger) => Some((danger.as_str(), command.span)),
            _ => None,
        });
        let notes = self.notes.iter().filter(|note| note.is_danger).map(|note| (note.text.as_str(), note.span));
        commands.chain(notes).next()
    }

    /// Why it is not read-only, if so, and where in the text; beside a [fault](Self::fault).
    #[must_use]
    pub fn obstacle(&self) -> Option<(&str, Span)> {
        let commands = self.commands.iter().filter_map(|command| match &command.level {
            Level::Other(reason) | Level::Dangerous(reason) => Some((reason.as_str(), command.span)),
            Level::Edit => Some(("it changes files", command.span)),
            Level::ReadOnly => None,
        });
        self.danger().or_else(|| commands.chain(self.notes.iter().map(|note| (note.text.as_str(), note.span))).next())
    }
}
