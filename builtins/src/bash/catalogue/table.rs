//! The catalogue as it is in memory: programs, their shapes, and what each word of a shape means.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// All entries by the name of the program.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub programs: HashMap<String, Program>,
}

/// What is known about one program.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    /// Options that may stand before the subcommand.
    pub globals: Option<Shape>,
    /// The shapes, in the order in which they are tried.
    pub entries: Vec<Entry>,
    /// Why it is dangerous in every shape.
    pub danger: Option<super::Danger>,
}

/// One shape of a program's or subcommand's arguments, and what a command of that shape does.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub nature: Nature,
    /// The subcommand: none for a program without, several words for one of a group.
    pub subs: Vec<String>,
    pub shape: Arc<Shape>,
}

/// What a command of a shape does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// Reads only.
    Read,
    /// Changes files, in a way that is fit for being allowed in a working directory.
    Edit,
    /// Changes files.
    Write,
    /// Is as harmless as the command it runs.
    Run,
    /// Runs a command under conditions of its own.
    Wrap,
}

/// Options and operands.
#[derive(Debug, Clone, Default)]
pub(super) struct Shape {
    /// No option of the program, listed or not, does anything but read: an argument that may become one is harmless.
    pub loose: bool,
    /// Options end at the first operand.
    pub ordered: bool,
    /// Every word is an operand, whatever it starts with.
    pub bare: bool,
    /// Nothing behind `--` is ever taken for an option.
    pub dashes: bool,
    /// `-5` is an option.
    pub numeric: bool,
    /// Sorted by name.
    pub flags: Vec<Flag>,
    pub operands: Operands,
}

/// An option.
#[derive(Debug, Clone)]
pub(super) struct Flag {
    /// With its dashes.
    pub name: String,
    /// The word has to be exactly this: no bundles, and a value is a word of its own or behind `=`.
    pub exact: bool,
    pub arity: Arity,
    /// The groups of which one option each has to be there, as bits.
    pub required: u8,
}

/// Whether an option takes a value.
#[derive(Debug, Clone)]
pub(super) enum Arity {
    None,
    /// The rest of the word, or else the next word.
    Required(Kind),
    /// The rest of the word, or nothing.
    Attached(Kind),
}

/// What the operands mean: `first… [optional…] rest* last`.
#[derive(Debug, Clone, Default)]
pub(super) struct Operands {
    pub first: Vec<Kind>,
    pub optional: Vec<Kind>,
    pub rest: Option<Kind>,
    /// At least one in the rest.
    pub one_at_least: bool,
    pub last: Option<Kind>,
}

/// What a value or an operand means, and with that which ones are accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Anything, known or not: it has no meaning outside of what is printed.
    Text,
    /// Anything that is known.
    Literal,
    /// A known number, perhaps with a unit.
    Number,
    /// Two words, of which nothing is known.
    Pair,
    /// A path that is read.
    Read,
    /// A path that is read; the program would take `@file` for options from that file.
    ReadNoAt,
    /// The name of an archive on this machine.
    Archive,
    /// A path that is written.
    Write,
    /// A path that is removed.
    Remove,
    /// A directory that the program takes as its place.
    Place,
    /// The ending of the name of a backup file.
    Suffix,
    /// Starts with `+`.
    Plus,
    /// A shell variable whose change means nothing to programs.
    Variable,
    /// A plain name: letters, digits, `_`, `-`, `.` and the like.
    Name,
    /// A plain name without `=`.
    Key,
    /// A plain name with a dot in it.
    Dotted,
    /// The name of a user, as `ps` takes it.
    PsUser,
    /// A command: this word and all that follow.
    Command,
    /// A text for a shell.
    Script,
    /// The text that `xargs` replaces by what it reads.
    Mark,
    /// A sed script that only prints.
    Sed,
    /// An awk program that only prints.
    Awk,
    /// A filter for `jq`.
    Jq,
    /// A format of `git log` and its like.
    GitFormat,
    /// A format of `printf`.
    Printf,
    /// One word, or several behind commas, out of a set.
    Set(Arc<BTreeSet<String>>),
}

impl Shape {
    /// The option whose name is exactly `name`.
    pub(super) fn flag(&self, name: &str) -> Option<&Flag> {
        let at = self.flags.binary_search_by(|flag| flag.name.as_str().cmp(name)).ok()?;
        self.flags.get(at)
    }

    /// The groups of which one option each has to be there, as bits.
    pub(super) fn required(&self) -> u8 {
        self.flags.iter().fold(0, |bits, flag| bits | flag.required)
    }
}

impl Table {
    /// Adds another table's entries behind the own ones.
    pub(super) fn extend(&mut self, other: Self) {
        for (name, program) in other.programs {
            let own = self.programs.entry(name).or_default();
            own.globals = own.globals.take().or(program.globals);
            own.danger = own.danger.or(program.danger);
            own.entries.extend(program.entries);
        }
    }

    /// How many programs and subcommands there are.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        let names = self.programs.iter().flat_map(|(name, program)| {
            program.entries.iter().map(move |entry| (name.as_str(), entry.subs.as_slice()))
        });
        names.collect::<BTreeSet<_>>().len()
    }
}
