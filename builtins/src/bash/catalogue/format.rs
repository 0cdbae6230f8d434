//! The text form of the catalogue, for the built-in files and for entries of a user's own.
//!
//! ```text
//! # a comment
//! @common: -q --quiet                      a group of items
//! <colours>: red green                     a set of words
//! read sort, gsort: -bdf -k=text --key=text @common ; read*
//! read git branch: --list! --sort=text ; text*
//! globals git: -C=place --no-pager
//! ```
//!
//! An entry is what it does (`read`, `edit`, `write`, `run`, `wrap`), the program with its subcommand (several behind
//! commas), a colon, the options, and after a semicolon the operands. A line that starts with a blank continues the one
//! before.
//!
//! | option | means |
//! | --- | --- |
//! | `-abc` | three options of one letter each, which may be bundled |
//! | `-k=kind`, `--key=kind` | takes a value, behind it or as the next word |
//! | `-k[=kind]`, `--key[=kind]` | may have a value directly behind it |
//! | `'-name'`, `'-name'=kind` | exactly this word; the value is the next word or behind `=` |
//! | `-#` | `-5` and the like |
//! | `!` at the end | one of the options so marked has to be there |
//! | `!!` at the end | one of these as well |
//! | `loose` | no option of the program does anything but read |
//! | `ordered` | options end at the first operand |
//! | `dashes` | nothing behind `--` is ever taken for an option; with `globals`, for all subcommands |
//! | `bare` | every word is an operand |
//!
//! Operands are kinds: `kind`, `[kind]` (may be missing), `kind*`, `kind+`, and after these at most one last `kind`.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::Danger;
use super::table::{Arity, Entry, Flag, Kind, Nature, Operands, Program, Shape, Table};

/// Why a text is no catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub(super) struct FormatError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong in it.
    pub fault: FormatFault,
}

/// An entry for a command that only reads is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{entry}` describes no command: {fault}")]
pub struct EntryError {
    /// The entry.
    pub(super) entry: String,
    pub(super) fault: FormatFault,
}

/// The faults of a line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum FormatFault {
    /// No colon, or nothing before it.
    #[error("it is written `program subcommand: options ; operands`")]
    NoEntry,
    /// Not one of the words an entry starts with.
    #[error("an entry starts with read, edit, write, run, wrap, globals or danger, not with `{0}`")]
    Verb(String),
    /// A kind that does not exist.
    #[error("there is no kind of value called `{0}`")]
    Kind(String),
    /// A group that was not written before.
    #[error("the group `{0}` has to be written before it is used")]
    Group(String),
    /// Not an option.
    #[error("`{0}` is not an option; write `-a`, `--name`, `--name=kind` or `'-word'`")]
    Option(String),
    /// The same option twice.
    #[error("the option `{0}` is there twice")]
    Twice(String),
    /// Operands in an impossible order.
    #[error("operands are first ones, then optional ones, then one with `*` or `+`, then at most one more")]
    Operands,
    /// Not a danger.
    #[error("there is no danger called `{0}`")]
    Danger(String),
}

#[derive(Default)]
struct Reader {
    groups: HashMap<String, Vec<Flag>>,
    sets: HashMap<String, Arc<BTreeSet<String>>>,
    table: Table,
}

/// Reads a catalogue.
///
/// # Errors
///
/// The first line that is not understood.
pub(super) fn read(text: &str) -> Result<Table, FormatError> {
    let mut reader = Reader::default();
    for (line, text) in logical_lines(text) {
        reader.line(&text).map_err(|fault| FormatError { line, fault })?;
    }
    Ok(reader.table)
}

fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        match lines.last_mut() {
            Some((_, before)) if line.starts_with([' ', '\t']) => {
                before.push(' ');
                before.push_str(line.trim());
            }
            _ => lines.push((index + 1, line.trim().to_owned())),
        }
    }
    lines
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), FormatFault> {
        // A colon ends the head only before a blank or the end, so that `:` itself can be the name of a program.
        let (head, body) = line
            .split_once(": ")
            .or_else(|| line.strip_suffix(':').map(|head| (head, "")))
            .ok_or(FormatFault::NoEntry)?;
        if let Some(name) = head.strip_prefix('@') {
            let shape = self.shape(body)?;
            self.groups.insert(name.to_owned(), shape.flags);
            return Ok(());
        }
        if let Some(name) = head.strip_prefix('<').and_then(|name| name.strip_suffix('>')) {
            self.sets.insert(name.to_owned(), Arc::new(body.split_whitespace().map(str::to_owned).collect()));
            return Ok(());
        }
        let (verb, names) = head.split_once(' ').ok_or(FormatFault::NoEntry)?;
        let nature = match verb {
            "read" => Nature::Read,
            "edit" => Nature::Edit,
            "write" => Nature::Write,
            "run" => Nature::Run,
            "wrap" => Nature::Wrap,
            "globals" => {
                let shape = self.shape(body)?;
                for name in names.split(", ") {
                    self.program(name).globals = Some(shape.clone());
                }
                return Ok(());
            }
            "danger" => {
                let danger = danger(body.trim())?;
                for name in names.split(", ") {
                    self.program(name).danger = Some(danger);
                }
                return Ok(());
            }
            other => return Err(FormatFault::Verb(other.to_owned())),
        };
        let shape = Arc::new(self.shape(body)?);
        for name in names.split(", ") {
            let mut words = name.split_whitespace().map(str::to_owned);
            let program = words.next().ok_or(FormatFault::NoEntry)?;
            let entry = Entry { nature, subs: words.collect(), shape: Arc::clone(&shape) };
            self.program(&program).entries.push(entry);
        }
        Ok(())
    }

    fn program(&mut self, name: &str) -> &mut Program {
        self.table.programs.entry(name.trim().to_owned()).or_default()
    }

    fn shape(&self, body: &str) -> Result<Shape, FormatFault> {
        let mut shape = Shape::default();
        let mut words = body.split_whitespace();
        for word in words.by_ref() {
            match word {
                ";" => break,
                "loose" => shape.loose = true,
                "ordered" => shape.ordered = true,
                "bare" => shape.bare = true,
                "dashes" => shape.dashes = true,
                "-#" => shape.numeric = true,
                _ => {
                    if let Some(name) = word.strip_prefix('@') {
                        let group = self.groups.get(name).ok_or_else(|| FormatFault::Group(name.to_owned()))?;
                        shape.flags.extend(group.iter().cloned());
                    } else {
                        self.flags(word, &mut shape.flags)?;
                    }
                }
            }
        }
        shape.operands = self.operands(words)?;
        shape.flags.sort_by(|a, b| a.name.cmp(&b.name));
        for pair in shape.flags.windows(2) {
            if let [a, b] = pair
                && a.name == b.name
            {
                return Err(FormatFault::Twice(a.name.clone()));
            }
        }
        Ok(shape)
    }

    fn flags(&self, word: &str, out: &mut Vec<Flag>) -> Result<(), FormatFault> {
        let wrong = || FormatFault::Option(word.to_owned());
        let (rest, required) = match (word.strip_suffix("!!"), word.strip_suffix('!')) {
            (Some(rest), _) => (rest, 2),
            (None, Some(rest)) => (rest, 1),
            (None, None) => (word, 0),
        };
        let (name, arity) = if let Some((name, kind)) = rest.split_once("[=") {
            let kind = kind.strip_suffix(']').ok_or_else(wrong)?;
            (name, Arity::Attached(self.kind(kind)?))
        } else if let Some((name, kind)) = rest.rsplit_once('=') {
            (name, Arity::Required(self.kind(kind)?))
        } else {
            (rest, Arity::None)
        };
        if let Some(name) = name.strip_prefix('\'').and_then(|name| name.strip_suffix('\'')) {
            out.push(Flag { name: name.to_owned(), exact: true, arity, required });
            return Ok(());
        }
        let letters = name.strip_prefix('-').filter(|letters| !letters.is_empty()).ok_or_else(wrong)?;
        if letters.starts_with('-') {
            out.push(Flag { name: name.to_owned(), exact: false, arity, required });
            return Ok(());
        }
        if letters.chars().count() > 1 && !matches!(arity, Arity::None) {
            return Err(wrong());
        }
        for letter in letters.chars() {
            out.push(Flag { name: format!("-{letter}"), exact: false, arity: arity.clone(), required });
        }
        Ok(())
    }

    fn operands<'t>(&self, words: impl Iterator<Item = &'t str>) -> Result<Operands, FormatFault> {
        let mut operands = Operands::default();
        for word in words {
            if let Some(kind) = word.strip_suffix(['*', '+']) {
                if operands.rest.is_some() {
                    return Err(FormatFault::Operands);
                }
                operands.rest = Some(self.kind(kind)?);
                operands.one_at_least = word.ends_with('+');
            } else if let Some(kind) = word.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')) {
                if operands.rest.is_some() {
                    return Err(FormatFault::Operands);
                }
                operands.optional.push(self.kind(kind)?);
            } else if operands.rest.is_some() {
                if operands.last.replace(self.kind(word)?).is_some() {
                    return Err(FormatFault::Operands);
                }
            } else if operands.optional.is_empty() {
                operands.first.push(self.kind(word)?);
            } else {
                return Err(FormatFault::Operands);
            }
        }
        Ok(operands)
    }

    fn kind(&self, name: &str) -> Result<Kind, FormatFault> {
        Ok(match name {
            "text" => Kind::Text,
            "literal" => Kind::Literal,
            "number" => Kind::Number,
            "pair" => Kind::Pair,
            "read" => Kind::Read,
            "read-no-at" => Kind::ReadNoAt,
            "archive" => Kind::Archive,
            "write" => Kind::Write,
            "remove" => Kind::Remove,
            "place" => Kind::Place,
            "suffix" => Kind::Suffix,
            "plus" => Kind::Plus,
            "variable" => Kind::Variable,
            "name" => Kind::Name,
            "key" => Kind::Key,
            "dotted" => Kind::Dotted,
            "ps-user" => Kind::PsUser,
            "command" => Kind::Command,
            "script" => Kind::Script,
            "mark" => Kind::Mark,
            "sed" => Kind::Sed,
            "awk" => Kind::Awk,
            "jq" => Kind::Jq,
            "git-format" => Kind::GitFormat,
            "printf" => Kind::Printf,
            _ => {
                let set = name
                    .strip_prefix('<')
                    .and_then(|name| name.strip_suffix('>'))
                    .and_then(|name| self.sets.get(name))
                    .cloned();
                let inline = || {
                    let words = name.strip_prefix('(')?.strip_suffix(')')?;
                    Some(Arc::new(words.split('|').map(str::to_owned).collect()))
                };
                Kind::Set(set.or_else(inline).ok_or_else(|| FormatFault::Kind(name.to_owned()))?)
            }
        })
    }
}

fn danger(name: &str) -> Result<Danger, FormatFault> {
    match name {
        "device" => Ok(Danger::WritesDevice),
        "machine" => Ok(Danger::StopsMachine),
        _ => Err(FormatFault::Danger(name.to_owned())),
    }
}
