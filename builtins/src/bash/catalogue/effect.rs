//! What the catalogue says about a command.

use std::borrow::Cow;

use crate::bash::{Span, Word};

/// What a simple command does, as far as its argv shows.
///
/// The whole is as harmless as its verdict **and** everything in `runs`. Words are as the shell would pass them: a path may
/// be unknown, and then nothing can be said about where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect<'a> {
    /// The verdict on the program itself, without what it runs in turn.
    pub verdict: Verdict,
    /// Files and directories that are read. A word that might be an option is here as well.
    pub reads: Vec<Cow<'a, Word>>,
    /// Whether what lies below those is read as well.
    pub is_deep: bool,
    /// Files and directories that are made, changed or removed.
    pub writes: Vec<Change<'a>>,
    /// Directories that the program takes as its place, and whose settings it obeys (`cd`, `git -C`).
    pub places: Vec<Cow<'a, Word>>,
    /// What it runs in turn.
    pub runs: Vec<Run<'a>>,
}

/// How far a command may go by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Only reads and prints.
    ReadOnly,
    /// Changes the files in `writes`, in a way that can be taken back or was asked for, and nothing else.
    Edit,
    /// Would do damage that no rule should be able to allow.
    Dangerous(Danger),
    /// Anything else.
    Other(Reason),
}

/// A path that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change<'a> {
    /// The path.
    pub path: Cow<'a, Word>,
    /// What happens to it.
    pub how: How,
}

/// What happens to a path that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum How {
    /// It is made, overwritten or changed.
    Write,
    /// It is removed, or moved away.
    Remove,
}

/// What a program runs in turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Run<'a> {
    /// A command with its arguments. What standard input or a search adds to it is an unknown word.
    Command {
        /// Words of the form `name=value` that hold for it.
        assignments: Vec<Cow<'a, Word>>,
        /// Program and arguments.
        argv: Cow<'a, [Word]>,
    },
    /// A text for a shell.
    Script(Cow<'a, Word>),
}

/// Why a command must not run without a person's word, whatever the rules say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub(crate) enum Danger {
    /// `rm -rf /`, `mv ~ x`, `find / -delete`.
    #[error("it removes a root, home or working directory, or everything in it; name the single files instead")]
    RemovesTree,
    /// `cp -r other/. .`
    #[error(
        "it copies everything, hidden files included, over a root, home or working directory; name the files instead"
    )]
    OverwritesTree,
    /// `chmod -R … /`
    #[error(
        "it changes the owner or the rights of everything below a root or home directory; name the single files instead"
    )]
    ChangesTree,
    /// `chmod 777`
    #[error("it lets everybody write to a file; give the rights to the owner or group alone")]
    OpensRights,
    /// `mkfs`, `fdisk`, `dd of=/dev/sda`
    #[error("it writes to a disk or device itself, which cannot be taken back")]
    WritesDevice,
    /// `kill -9 -1`
    #[error("it ends every process of the user; name the single processes instead")]
    KillsEverything,
    /// `shutdown`, `reboot`
    #[error("it stops or restarts the machine")]
    StopsMachine,
    /// `crontab -r`
    #[error("it removes every job of the user's time table; edit the single line instead")]
    RemovesSchedule,
    /// `sed 'e …'`, `sed 'w …'`
    #[error("the sed script runs a command or writes a further file; use plain commands and redirections for that")]
    SedEscape,
}

/// Why a command is not in the catalogue of those that may run by themselves.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub(crate) struct Reason {
    /// The reason, in words for a person and for a model that can write the command anew.
    pub kind: ReasonKind,
    /// The word that is the reason, or none when the command as a whole is.
    pub span: Option<Span>,
}

/// The kinds of [`Reason`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReasonKind {
    /// No argv at all.
    #[error("there is no command")]
    Empty,
    /// The name of the program is not known before it runs.
    #[error("the name of the program is only known when the command runs; write it out")]
    ProgramNotLiteral,
    /// A path that is not one of the system's own folders.
    #[error(
        "`{0}` is a program at a place of its own; only programs found by their bare name, or in /bin and /usr/bin, are known"
    )]
    ProgramPath(String),
    /// Not in the table.
    #[error("`{0}` is not in the catalogue of commands that only read")]
    UnknownProgram(String),
    /// The program is there, the subcommand is not.
    #[error("`{program} {sub}` is not in the catalogue of commands that only read")]
    UnknownSubcommand {
        /// The program.
        program: String,
        /// What stands where the subcommand belongs.
        sub: String,
    },
    /// The program needs a subcommand.
    #[error("`{0}` has no subcommand whose name is known; write it out")]
    NoSubcommand(String),
    /// An option that is not listed.
    #[error("`{program}` with `{option}` is not known to only read; leave the option out, or write its full name")]
    UnknownOption {
        /// The program.
        program: String,
        /// The option.
        option: String,
    },
    /// An option that lacks its value, or has one that it does not take.
    #[error("`{option}` of `{program}` has a value too many or too few; write it as the manual does")]
    OptionValue {
        /// The program.
        program: String,
        /// The option.
        option: String,
    },
    /// A variable or pattern that may become an option.
    #[error("an argument of `{0}` may turn into an option when the command runs; write it out, or put `./` before it")]
    MayBeOption(String),
    /// A variable or pattern at a place where its number of words matters.
    #[error("an argument of `{0}` may turn into none or several; write it out, or quote it")]
    MayBeSeveral(String),
    /// Too many operands, too few, or one in a wrong place.
    #[error("`{0}` with these arguments is not known to only read")]
    Operands(String),
    /// A value that is not accepted at its place.
    #[error("`{program}` does not only read with `{value}`; {rule}")]
    Value {
        /// The program.
        program: String,
        /// What was given; shortened when long.
        value: String,
        /// What is accepted.
        rule: &'static str,
    },
    /// A value that has to be known.
    #[error("an argument of `{program}` is only known when the command runs; {rule}")]
    ValueNotLiteral {
        /// The program.
        program: String,
        /// What is accepted.
        rule: &'static str,
    },
    /// It runs something else under other conditions.
    #[error("`{0}` runs another command under conditions of its own; run that command directly")]
    Wrapper(String),
    /// It changes files in a way that is asked about.
    #[error("`{0}` changes files")]
    Writes(String),
}
