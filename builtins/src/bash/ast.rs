//! What a shell command is once it is understood: a small typed tree.
//!
//! The tree says what the shell will run, not how it was written: quotes are gone, escapes and braces are resolved, and
//! each thing that is only known when the command runs stands as an [`Unknown`] at its place. A part of the grammar that
//! is not covered has no node at all: it ends the script with a [`Fault`](super::Fault).

mod walk;
mod word;

pub use walk::Node;
pub use word::{Part, Tilde, Unknown, Word};

use super::Fault;

/// A range of bytes in the text that was parsed.
///
/// What lies in backquotes has no text of its own in the command, so it carries the range of the whole backquoted part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The text of this range, or an empty text when the range is none of `source`.
    #[must_use]
    pub fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }
}

/// A whole command text.
///
/// When `fault` is set, the list holds what was understood before it; the rest of the text may run anything.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Script {
    /// What was understood, in order.
    pub list: List,
    /// Why the rest is not known, or none when all of it is.
    pub fault: Option<Fault>,
}

/// Commands in order, separated by `;`, `&` or newlines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct List {
    /// The entries.
    pub items: Vec<Item>,
}

/// One entry of a [`List`]: pipelines joined by `&&` and `||`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The first pipeline always runs.
    pub first: Pipeline,
    /// The others, each with what joins it to those before.
    pub rest: Vec<(Joint, Pipeline)>,
    /// Ended by `&`.
    pub background: bool,
}

impl Item {
    /// All pipelines of the entry.
    pub fn pipelines(&self) -> impl Iterator<Item = &Pipeline> {
        std::iter::once(&self.first).chain(self.rest.iter().map(|(_, pipeline)| pipeline))
    }
}

/// What joins two pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    /// `&&`
    And,
    /// `||`
    Or,
}

/// Commands joined by `|` or `|&`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pipeline {
    /// Preceded by an odd number of `!`.
    pub negated: bool,
    /// Preceded by bash's `time`.
    pub timed: bool,
    /// The commands; none only for a `!` or `time` that stands alone.
    pub commands: Vec<Command>,
}

/// A command of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A program, builtin or function with its arguments, or only assignments and redirections.
    Simple(SimpleCommand),
    /// A group, subshell, condition or loop, with the redirections behind it.
    Compound {
        /// What it is.
        kind: Compound,
        /// Redirections that hold for all of it.
        redirections: Vec<Redirection>,
        /// Where it stands.
        span: Span,
    },
}

/// Assignments, words and redirections of one simple command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SimpleCommand {
    /// Leading assignments. Without words they change the shell itself, else only the program's environment.
    pub assignments: Vec<Assignment>,
    /// The program and its arguments, after brace expansion. A redirection between them leaves no trace here.
    pub words: Vec<Word>,
    /// All redirections, in order.
    pub redirections: Vec<Redirection>,
    /// Where it stands.
    pub span: Span,
}

/// `name=value` or `name+=value` before a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// What it becomes; always one value, neither split nor expanded to file names.
    pub value: Word,
    /// Written `+=`.
    pub append: bool,
}

/// A compound command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compound {
    /// `{ list; }`
    Group(List),
    /// `( list )`
    Subshell(List),
    /// `if … then … elif … else … fi`
    If {
        /// Conditions with what follows them.
        branches: Vec<(List, List)>,
        /// The `else` part.
        otherwise: Option<List>,
    },
    /// `while … do … done`, or `until`.
    While {
        /// `until` instead of `while`.
        until: bool,
        /// What decides on a further round.
        condition: List,
        /// What is run each time.
        body: List,
    },
    /// `for name in words; do … done`
    For {
        /// The variable.
        name: String,
        /// The words; none when the `in` part is missing, which means the positional parameters.
        words: Option<Vec<Word>>,
        /// What is run each time.
        body: List,
    },
    /// `case word in pattern) … ;; esac`
    Case {
        /// What is looked at.
        word: Word,
        /// The arms in order.
        arms: Vec<Arm>,
    },
}

/// One arm of a `case`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arm {
    /// The patterns, of which one has to fit.
    pub patterns: Vec<Word>,
    /// What is run; may be empty.
    pub body: List,
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirection {
    /// The number before the operator; none means the operator's usual one.
    pub descriptor: Option<u32>,
    /// What happens.
    pub kind: RedirectionKind,
    /// The file or descriptor, or the text of a here-document or here-string.
    pub target: Word,
    /// Where it stands (of a here-document: operator and delimiter).
    pub span: Span,
}

/// The kinds of redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RedirectionKind {
    /// `< file`
    Read,
    /// `> file`
    Write,
    /// `>| file`: overwrites even where the shell was told not to.
    Clobber,
    /// `>> file`
    Append,
    /// `<> file`: opened for both, created when it is missing.
    ReadWrite,
    /// `&> file` (or `>& file`): output and errors.
    WriteBoth,
    /// `&>> file`
    AppendBoth,
    /// `<& n`, `>& n`, `<&-`: another descriptor is copied, moved or closed; the target is digits, digits and `-`, or `-`.
    Duplicate,
    /// `<< delimiter`: the target is the text.
    HereDocument,
    /// `<<< word`: the target is the word, to which the shell adds a newline.
    HereString,
}
