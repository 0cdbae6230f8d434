//! What commands do, as far as their argv shows.
//!
//! The catalogue is a table of the programs and subcommands that are known, with the options that are known to be harmless,
//! and what the other words mean. It refuses by default: a program, subcommand, option or value that is not in it makes the
//! command one that is asked about. The table is text (the files in `catalogue/`, format in [`format`](self::format)), and
//! users' own entries have the same form.
//!
//! Only argv is looked at. Assignments, redirections and what else the shell does with a command are for others to judge,
//! and so is where a path leads.

mod awk;
mod danger;
mod effect;
mod find;
mod format;
mod reads;
mod scan;
mod sed;
mod special;
mod table;
#[cfg(test)]
mod tests;
mod value;
mod variables;
mod words;

use std::borrow::Cow;
use std::sync::LazyLock;

pub(crate) use effect::{Danger, Effect, How, Reason, ReasonKind, Run, Verdict};
pub use format::EntryError;
pub(crate) use variables::{is_harmless_for_programs, is_harmless_for_rules, is_harmless_name};

use self::table::{Entry, Nature, Program, Table};
use self::value::Facts;
use crate::bash::Word;

/// The files of the catalogue.
const FILES: [(&str, &str); 10] = [
    ("coreutils", include_str!("catalogue/coreutils.txt")),
    ("text", include_str!("catalogue/text.txt")),
    ("search", include_str!("catalogue/search.txt")),
    ("shell", include_str!("catalogue/shell.txt")),
    ("system", include_str!("catalogue/system.txt")),
    ("git", include_str!("catalogue/git.txt")),
    ("cloud", include_str!("catalogue/cloud.txt")),
    ("languages", include_str!("catalogue/languages.txt")),
    ("wrappers", include_str!("catalogue/wrappers.txt")),
    ("edits", include_str!("catalogue/edits.txt")),
];

static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut table = Table::default();
    for (_, text) in FILES {
        // A file that cannot be read leaves its commands unknown; a test keeps that from happening.
        if let Ok(more) = format::read(text) {
            table.extend(more);
        }
    }
    Catalogue { table }
});

/// What is known about commands.
#[derive(Debug, Clone)]
pub(crate) struct Catalogue {
    table: Table,
}

impl Catalogue {
    /// The catalogue that comes with the crate.
    pub(crate) fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// This catalogue with a user's own commands that only read, as in `mytool list: -v --format=text ; text*`.
    ///
    /// # Errors
    ///
    /// The first one that is no such entry.
    pub(crate) fn with_read_only<T: AsRef<str>>(
        &self,
        entries: impl IntoIterator<Item = T>,
    ) -> Result<Self, EntryError> {
        let mut table = self.table.clone();
        for entry in entries {
            let entry = entry.as_ref().trim();
            // One line is one entry, and begins with the word that says what it does: nothing else can be meant by it.
            let text = format!("read {}", entry.replace(['\n', '\r'], " "));
            let more =
                format::read(&text).map_err(|error| EntryError { entry: entry.to_owned(), fault: error.fault })?;
            table.extend(more);
        }
        Ok(Self { table })
    }

    /// How many words behind the program its subcommand may stand: behind none, and behind the options of the program
    /// itself. Of an option that is not known, the next word may be the value.
    pub(crate) fn subcommand_starts(&self, argv: &[Word]) -> Vec<usize> {
        let Some((word, args)) = argv.split_first() else { return Vec::new() };
        let Some((name, _)) = word.literal().map(program_name) else { return Vec::new() };
        let mut starts = vec![0];
        let shape = self.table.programs.get(name).and_then(|program| program.globals.as_ref());
        match shape.and_then(|shape| scan::scan_globals(name, shape, args).ok()) {
            Some((_, 0)) => {}
            Some((_, skipped)) => starts.push(skipped),
            None => {
                let (mut here, mut next) = (true, false);
                for (at, word) in args.iter().enumerate() {
                    let is_option = word.literal_prefix().starts_with('-');
                    if here && at > 0 {
                        starts.push(at);
                    }
                    (here, next) = (next || here && is_option, here && is_option);
                    if !here {
                        break;
                    }
                }
            }
        }
        starts
    }

    /// Whether what a program does depends on its subcommand.
    pub(crate) fn has_subcommands(&self, program: &str) -> bool {
        let entries = self.table.programs.get(program).map(|program| program.entries.as_slice());
        entries.unwrap_or_default().iter().any(|entry| !entry.subs.is_empty())
    }

    /// What `argv` does.
    pub(crate) fn judge<'a>(&self, argv: &'a [Word]) -> Effect<'a> {
        let Some((word, args)) = argv.split_first() else { return Effect::other(ReasonKind::Empty, None) };
        let Some(path) = word.literal() else {
            return Effect::other(ReasonKind::ProgramNotLiteral, Some(word));
        };
        let (program, trusted) = program_name(path);
        let mut effect = self.by_table(program, args);
        if matches!(effect.verdict, Verdict::Other(_)) {
            let Effect { reads, writes, .. } = &mut effect;
            for word in reads::possible(args) {
                let same = |other: &Word| other.literal() == word.literal();
                if !reads.iter().any(|read| same(read)) && !writes.iter().any(|write| same(&write.path)) {
                    reads.push(word);
                }
            }
        }
        let (below, here) = reads::below(program, args);
        effect.is_deep = below;
        if here && effect.reads.is_empty() {
            let place = effect.places.last().cloned();
            effect.reads.push(place.unwrap_or_else(|| Cow::Owned(Word::text("."))));
        }
        let listed = self.table.programs.get(program).and_then(|program| program.danger);
        if let Some(danger) = listed.or_else(|| danger::judge(program, args)) {
            effect.verdict = Verdict::Dangerous(danger);
        } else if !trusted && !matches!(effect.verdict, Verdict::Dangerous(_)) {
            let kind = ReasonKind::ProgramPath(value::shorten(path));
            effect.verdict = Verdict::Other(Reason { kind, span: Some(word.span()) });
        }
        effect
    }

    fn by_table<'a>(&self, name: &str, args: &'a [Word]) -> Effect<'a> {
        let Some(program) = self.table.programs.get(name) else {
            return Effect::other(ReasonKind::UnknownProgram(value::shorten(name)), None);
        };
        if let [only] = args
            && matches!(only.literal(), Some("--help" | "--version"))
            && !matches!(name, "echo" | "test" | "[")
        {
            return Effect::read_only();
        }
        match (name, program.entries.first()) {
            ("test" | "[", _) => return special::test(name, args),
            ("find", Some(entry)) => return find::judge(&entry.shape, args),
            _ => {}
        }
        let mut before = None;
        let (globals, skipped) = match &program.globals {
            Some(shape) => scan::scan_globals(name, shape, args).unwrap_or_else(|reason| {
                before = Some(reason);
                (Facts::default(), 0)
            }),
            None => (Facts::default(), 0),
        };
        let rest = args.get(skipped..).unwrap_or_default();
        let depth = longest_subcommand(program, rest);
        if depth == 0 && !program.entries.iter().any(|entry| entry.subs.is_empty()) {
            return match before {
                Some(reason) => Effect { verdict: Verdict::Other(reason), ..Effect::read_only() },
                None => no_subcommand(name, rest.first()),
            };
        }
        let after_globals = rest.first();
        // The options before a subcommand count only where there is one.
        let (rest, globals) =
            if depth == 0 { (args, Facts::default()) } else { (rest.get(depth..).unwrap_or_default(), globals) };
        let candidates = || {
            program.entries.iter().filter(move |entry| {
                entry.subs.len() == depth
                    && entry.subs.iter().zip(args.iter().skip(skipped)).all(|(sub, word)| word.literal() == Some(sub))
            })
        };
        let dashes = program.globals.as_ref().is_some_and(|shape| shape.dashes);
        let mut best: Option<scan::Miss> = None;
        for entry in candidates() {
            match scan::scan(name, entry, rest, dashes) {
                Ok(facts) => return found(name, entry, rest, globals, facts),
                Err(miss) if best.as_ref().is_none_or(|best| miss.says_more_than(best)) => best = Some(miss),
                Err(_) => {}
            }
        }
        let has_subcommands = depth == 0 && program.entries.iter().any(|entry| !entry.subs.is_empty());
        if has_subcommands
            && before.is_none()
            && named(after_globals).is_some()
            && best.as_ref().is_none_or(scan::Miss::is_vague)
        {
            return no_subcommand(name, after_globals);
        }
        let vague = || scan::Miss { at: 0, reason: Reason { kind: ReasonKind::Operands(name.to_owned()), span: None } };
        fallback(candidates(), rest, best.unwrap_or_else(vague))
    }
}

impl<'a> Effect<'a> {
    /// Reads only, and nothing that is a file.
    pub(crate) fn read_only() -> Self {
        Self {
            verdict: Verdict::ReadOnly,
            reads: Vec::new(),
            is_deep: false,
            writes: Vec::new(),
            places: Vec::new(),
            runs: Vec::new(),
        }
    }

    fn other(kind: ReasonKind, word: Option<&Word>) -> Self {
        Self { verdict: Verdict::Other(Reason { kind, span: word.map(Word::span) }), ..Self::read_only() }
    }
}

/// The name of a program, and whether it is one that the system itself would run under that name.
fn program_name(path: &str) -> (&str, bool) {
    match path.rsplit_once('/') {
        None => (path, true),
        Some((folder, name)) => (name, matches!(folder, "/bin" | "/usr/bin" | "/sbin" | "/usr/sbin")),
    }
}

/// How many words of `args` name a subcommand.
fn longest_subcommand(program: &Program, args: &[Word]) -> usize {
    program
        .entries
        .iter()
        .filter(|entry| {
            entry.subs.len() <= args.len()
                && entry.subs.iter().zip(args).all(|(sub, word)| word.literal() == Some(sub.as_str()))
        })
        .map(|entry| entry.subs.len())
        .max()
        .unwrap_or(0)
}

/// The text of a word that looks like the name of a subcommand.
fn named(word: Option<&Word>) -> Option<&str> {
    word.and_then(Word::literal).filter(|text| !text.starts_with('-'))
}

fn no_subcommand<'a>(program: &str, word: Option<&Word>) -> Effect<'a> {
    match named(word) {
        Some(sub) => {
            let kind = ReasonKind::UnknownSubcommand { program: program.to_owned(), sub: value::shorten(sub) };
            Effect::other(kind, word)
        }
        None => Effect::other(ReasonKind::NoSubcommand(program.to_owned()), word),
    }
}

/// The effect of a command that has the shape of `entry`.
fn found<'a>(name: &str, entry: &Entry, args: &'a [Word], globals: Facts<'a>, facts: Facts<'a>) -> Effect<'a> {
    let mut effect = Effect::read_only();
    effect.places = globals.places;
    effect.places.extend(facts.places);
    effect.reads = globals.reads;
    effect.reads.extend(facts.reads);
    effect.writes = facts.writes;
    let full_name = || scan::full_name(name, entry);
    match name {
        "cd" if effect.places.is_empty() => effect.places.push(Cow::Owned(words::home())),
        "eval" => effect.runs.extend(special::eval(args)),
        "xargs" => effect.runs.push(special::xargs(facts.command, facts.mark.as_deref())),
        "env" | "sudo" | "doas" => match facts.command.and_then(special::env) {
            Some(run) => effect.runs.push(run),
            None => {
                effect.verdict = Verdict::Other(Reason { kind: ReasonKind::Wrapper(name.to_owned()), span: None });
                return effect;
            }
        },
        _ => {
            if let Some(argv) = facts.command.map(special::without_dashes) {
                effect.runs.push(Run::Command { assignments: Vec::new(), argv: Cow::Borrowed(argv) });
            }
            effect.runs.extend(facts.script.map(Run::Script));
        }
    }
    if entry.nature == Nature::Write && effect.writes.is_empty() {
        effect.writes = danger::possible_writes(args);
    }
    effect.verdict = match entry.nature {
        _ if facts.sed_escapes => Verdict::Dangerous(Danger::SedEscape),
        Nature::Read => Verdict::ReadOnly,
        Nature::Edit => Verdict::Edit,
        Nature::Write => Verdict::Other(Reason { kind: ReasonKind::Writes(full_name()), span: None }),
        Nature::Wrap => Verdict::Other(Reason { kind: ReasonKind::Wrapper(full_name()), span: None }),
        Nature::Run => {
            let calm = effect.runs.iter().all(|run| match run {
                Run::Command { assignments, .. } => special::harmless_assignments(assignments),
                Run::Script(_) => false,
            });
            if calm {
                Verdict::ReadOnly
            } else {
                Verdict::Other(Reason { kind: ReasonKind::Wrapper(full_name()), span: None })
            }
        }
    };
    effect
}

/// The effect of a command that has no known shape: what it may write and run all the same.
fn fallback<'e, 'a>(entries: impl Iterator<Item = &'e Entry>, args: &'a [Word], miss: scan::Miss) -> Effect<'a> {
    let mut effect = Effect { verdict: Verdict::Other(miss.reason), ..Effect::read_only() };
    let (mut writes, mut runs) = (false, false);
    for entry in entries {
        writes |= matches!(entry.nature, Nature::Edit | Nature::Write);
        runs |= matches!(entry.nature, Nature::Run | Nature::Wrap);
    }
    if writes {
        effect.writes = danger::possible_writes(args);
    }
    if runs {
        // Behind what is not understood, the next word that is no option is taken for the program.
        let behind = args.get(miss.at..).unwrap_or_default();
        let first = behind.iter().position(|word| !word.literal_prefix().starts_with('-'));
        if let Some(argv) = first.and_then(|at| behind.get(at..)) {
            effect.runs.push(Run::Command { assignments: Vec::new(), argv: Cow::Borrowed(argv) });
        }
    }
    effect
}
