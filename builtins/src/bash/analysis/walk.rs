//! Going through a script in the order in which it runs.

use std::borrow::Cow;

use super::{Analysis, DEPTH, Dirs, Extent, Judged, Level, Note, Touched};
use crate::bash::catalogue::{Catalogue, Effect, How, Run, Verdict, is_harmless_for_programs, is_harmless_name};
use crate::bash::{
    Command, Compound, Item, Joint, List, Part, Pipeline, Redirection, RedirectionKind, Shell, SimpleCommand, Span,
    Unknown, Word, parse,
};

pub(super) struct Walker<'c> {
    shell: Shell,
    known: &'c Catalogue,
    commands: Vec<Judged>,
    notes: Vec<Note>,
}

/// Where a command runs, and by whom.
#[derive(Clone, Copy)]
struct At<'d> {
    dirs: &'d Dirs,
    depth: usize,
    span: Span,
    inner_at: Option<usize>,
}

impl<'c> Walker<'c> {
    pub(super) fn new(shell: Shell, known: &'c Catalogue) -> Self {
        Self { shell, known, commands: Vec::new(), notes: Vec::new() }
    }

    pub(super) fn finish(self) -> Analysis {
        Analysis { fault: None, commands: self.commands, notes: self.notes }
    }

    fn note(&mut self, text: impl Into<String>, span: Span) {
        self.notes.push(Note { text: text.into(), span, is_danger: false });
    }

    /// Commands in order; `dirs` is where they start, and afterwards where the shell is.
    pub(super) fn list(&mut self, list: &List, dirs: &mut Dirs, depth: usize) {
        for item in &list.items {
            if item.background {
                self.item(item, &mut dirs.clone(), depth);
            } else {
                self.item(item, dirs, depth);
            }
        }
    }

    fn item(&mut self, item: &Item, dirs: &mut Dirs, depth: usize) {
        // Where the shell is when the last pipeline has worked, and when it or one before has not.
        let mut failed: Option<Dirs> = None;
        let before = dirs.clone();
        self.pipeline(&item.first, dirs, depth);
        let mut last_start = before;
        for (joint, pipeline) in &item.rest {
            match joint {
                Joint::And => {
                    failed = Some(match failed {
                        Some(failed) => failed.or(&last_start),
                        None => last_start,
                    });
                    last_start = dirs.clone();
                    self.pipeline(pipeline, dirs, depth);
                }
                Joint::Or => {
                    let start = failed.take().map_or(last_start.clone(), |failed| failed.or(&last_start));
                    let mut branch = start.clone();
                    last_start = start;
                    self.pipeline(pipeline, &mut branch, depth);
                    *dirs = dirs.or(&branch);
                }
            }
        }
        // A `cd` that fails leaves the shell where it was, and the next command runs there.
        *dirs = dirs.or(&last_start);
        if let Some(failed) = failed {
            *dirs = dirs.or(&failed);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, dirs: &mut Dirs, depth: usize) {
        if let [only] = &pipeline.commands[..] {
            return self.command(only, dirs, depth);
        }
        for command in &pipeline.commands {
            // Each runs in a shell of its own.
            self.command(command, &mut dirs.clone(), depth);
        }
    }

    fn command(&mut self, command: &Command, dirs: &mut Dirs, depth: usize) {
        match command {
            Command::Simple(simple) => self.simple(simple, dirs, depth),
            Command::Compound { kind, redirections, span } => {
                self.redirections(redirections, dirs, depth);
                self.compound(kind, dirs, depth, *span);
            }
        }
    }

    fn compound(&mut self, kind: &Compound, dirs: &mut Dirs, depth: usize, span: Span) {
        match kind {
            Compound::Group(list) => self.list(list, dirs, depth),
            Compound::Subshell(list) => self.list(list, &mut dirs.clone(), depth),
            Compound::If { branches, otherwise } => {
                let mut after = None::<Dirs>;
                let mut start = dirs.clone();
                for (condition, body) in branches {
                    self.list(condition, &mut start, depth);
                    let mut inside = start.clone();
                    self.list(body, &mut inside, depth);
                    after = Some(after.map_or(inside.clone(), |after| after.or(&inside)));
                }
                if let Some(list) = otherwise {
                    self.list(list, &mut start, depth);
                }
                *dirs = after.map_or(start.clone(), |after| after.or(&start));
            }
            Compound::While { condition, body, .. } => self.repeated(&[condition, body], dirs, depth),
            Compound::For { name, words, body } => {
                self.sets(name, span);
                words.iter().flatten().for_each(|word| self.word(word, dirs, depth));
                self.repeated(&[body], dirs, depth);
            }
            Compound::Case { word, arms } => {
                self.word(word, dirs, depth);
                let mut after = dirs.clone();
                for arm in arms {
                    arm.patterns.iter().for_each(|pattern| self.word(pattern, dirs, depth));
                    let mut inside = dirs.clone();
                    self.list(&arm.body, &mut inside, depth);
                    after = after.or(&inside);
                }
                *dirs = after;
            }
        }
    }

    /// Lists that run any number of times: a `cd` in them may have happened before.
    fn repeated(&mut self, lists: &[&List], dirs: &mut Dirs, depth: usize) {
        let changes = |list: &List| {
            let mut changes = false;
            list.walk(&mut |node| {
                if let crate::bash::Node::Simple(command) = node {
                    changes |= command.words.first().is_some_and(changes_directory);
                }
            });
            changes
        };
        if lists.iter().any(|list| changes(list)) {
            *dirs = Dirs::unknown();
        }
        for list in lists {
            self.list(list, dirs, depth);
        }
    }

    fn sets(&mut self, name: &str, span: Span) {
        if !is_harmless_name(name) {
            self.note(format!("it sets the variable `{name}`, which other programs may obey"), span);
        }
    }

    fn simple(&mut self, simple: &SimpleCommand, dirs: &mut Dirs, depth: usize) {
        for assignment in &simple.assignments {
            self.word(&assignment.value, dirs, depth);
            if simple.words.is_empty() {
                self.sets(&assignment.name, simple.span);
            }
        }
        simple.words.iter().for_each(|word| self.word(word, dirs, depth));
        self.redirections(&simple.redirections, dirs, depth);
        if simple.words.is_empty() {
            return;
        }
        let variables = simple.assignments.iter().map(|assignment| assignment.name.clone()).collect();
        let here = dirs.clone();
        self.judge(&simple.words, variables, At { dirs: &here, depth, span: simple.span, inner_at: None });
        if simple.words.first().is_some_and(changes_directory) {
            *dirs = match &simple.words[..] {
                [cd, to] if cd.literal() == Some("cd") => match to.literal() {
                    Some(to) if !to.is_empty() && !to.starts_with('-') => here.entered(to),
                    _ => Dirs::unknown(),
                },
                _ => Dirs::unknown(),
            };
        }
    }

    /// Judges a command and all that it runs in turn.
    fn judge(&mut self, argv: &[Word], variables: Vec<String>, at: At<'_>) {
        let effect = self.known.judge(argv);
        let touched =
            |word: &Cow<'_, Word>, extent| Touched { word: word.clone().into_owned(), dirs: at.dirs.clone(), extent };
        let read = if effect.is_deep { Extent::Below } else { Extent::Alone };
        let mut level = match &effect.verdict {
            Verdict::ReadOnly => Level::ReadOnly,
            Verdict::Edit => Level::Edit,
            Verdict::Dangerous(danger) => Level::danger(*danger),
            Verdict::Other(reason) => Level::other(reason),
        };
        if let Some(name) = variables.iter().find(|name| !is_harmless_for_programs(name))
            && !matches!(level, Level::Dangerous(_))
        {
            level = Level::Other(format!("it gets the variable `{name}`, which it may obey"));
        }
        self.commands.push(Judged {
            argv: argv.to_vec(),
            variables,
            level,
            reads: effect.reads.iter().map(|word| touched(word, read)).collect(),
            writes: effect
                .writes
                .iter()
                .map(|change| match change.how {
                    How::Remove => touched(&change.path, Extent::Removed),
                    How::Write => touched(&change.path, Extent::Alone),
                })
                .collect(),
            places: effect.places.iter().map(|word| touched(word, Extent::Alone)).collect(),
            inner_at: at.inner_at,
            is_transparent: is_transparent(argv, &effect),
            end: 0,
            dirs: at.dirs.clone(),
            span: at.span,
        });
        let own = self.commands.len() - 1;
        for run in &effect.runs {
            self.run(run, argv, at);
        }
        let end = self.commands.len();
        if let Some(judged) = self.commands.get_mut(own) {
            judged.end = end;
        }
    }

    /// What a command runs in turn; `outer` is its argv.
    fn run(&mut self, run: &Run<'_>, outer: &[Word], at: At<'_>) {
        if at.depth >= DEPTH {
            return self.note("commands run commands more deeply than is followed; run them directly", at.span);
        }
        let at = At { depth: at.depth + 1, ..at };
        match run {
            Run::Command { assignments, argv } => {
                let name = |word: &Cow<'_, Word>| {
                    let text = word.literal_prefix();
                    text.split_once('=').map_or("?", |(name, _)| name).to_owned()
                };
                let at = At { inner_at: Some(begins_at(outer, argv)), ..at };
                self.judge(argv, assignments.iter().map(name).collect(), at);
            }
            Run::Script(word) => match word.literal() {
                Some(text) => {
                    let script = parse(text, self.shell);
                    self.list(&script.list, &mut at.dirs.clone(), at.depth);
                    if let Some(fault) = script.fault {
                        self.note(format!("in a text for another shell, {fault}"), at.span);
                    }
                }
                None => self.note("it runs a text that is only known when the command runs", at.span),
            },
        }
    }

    fn word(&mut self, word: &Word, dirs: &Dirs, depth: usize) {
        for part in word.parts() {
            let Part::Unknown { what, .. } = part else { continue };
            if let Unknown::Substitution(list) | Unknown::ProcessInput(list) | Unknown::ProcessOutput(list) = what {
                if depth >= DEPTH {
                    self.note("substitutions are nested more deeply than is followed", word.span());
                } else {
                    self.list(list, &mut dirs.clone(), depth + 1);
                }
            }
        }
    }

    fn redirections(&mut self, redirections: &[Redirection], dirs: &Dirs, depth: usize) {
        for redirection in redirections {
            self.word(&redirection.target, dirs, depth);
            self.redirection(redirection, dirs);
        }
    }

    fn redirection(&mut self, redirection: &Redirection, dirs: &Dirs) {
        use RedirectionKind::{
            Append, AppendBoth, Clobber, Duplicate, HereDocument, HereString, Read, ReadWrite, Write, WriteBoth,
        };
        let target = &redirection.target;
        let end = self.commands.len() + 1;
        let touched = || Touched { word: target.clone(), dirs: dirs.clone(), extent: Extent::Alone };
        let command = |reads: Vec<Touched>, writes: Vec<Touched>, level: Level| Judged {
            argv: Vec::new(),
            variables: Vec::new(),
            level,
            reads,
            writes,
            places: Vec::new(),
            inner_at: None,
            is_transparent: false,
            end,
            dirs: dirs.clone(),
            span: redirection.span,
        };
        let literal = target.literal();
        let judged = match redirection.kind {
            Duplicate | HereDocument | HereString => return,
            Write | Clobber | Append | WriteBoth | AppendBoth if literal == Some("/dev/null") => return,
            Read => match literal {
                Some(path) if path.starts_with("/dev/tcp/") || path.starts_with("/dev/udp/") => {
                    command(vec![touched()], Vec::new(), Level::Other("a redirection reaches another host".into()))
                }
                _ => command(vec![touched()], Vec::new(), Level::ReadOnly),
            },
            Write | Clobber | Append | WriteBoth | AppendBoth | ReadWrite => {
                let shown = literal.unwrap_or("a file that is only known when the command runs");
                let level = match literal {
                    Some(path) if is_device(path) => {
                        Level::Dangerous(format!("a redirection writes to the device `{path}` itself"))
                    }
                    _ => Level::Other(format!("a redirection writes to `{shown}`")),
                };
                command(Vec::new(), vec![touched()], level)
            }
        };
        self.commands.push(judged);
    }
}

/// Where in a command's argv the one begins that it runs; beyond the end when that is not there as it is.
fn begins_at(outer: &[Word], inner: &[Word]) -> usize {
    let begins = |at: &usize| outer.get(*at..).is_some_and(|rest| inner.starts_with(rest));
    (1..outer.len()).find(begins).unwrap_or(usize::MAX)
}

fn changes_directory(word: &Word) -> bool {
    matches!(word.literal(), Some("cd" | "pushd" | "popd")) || word.literal().is_none()
}

/// Disks and the like; a terminal and the usual descriptors are none.
fn is_device(path: &str) -> bool {
    let Some(name) = path.strip_prefix("/dev/") else { return false };
    !matches!(name, "null" | "zero" | "full" | "tty" | "stdin" | "stdout" | "stderr" | "random" | "urandom")
        && !name.starts_with("fd/")
        && !name.starts_with("tcp/")
        && !name.starts_with("udp/")
        && !name.starts_with("shm/")
}

/// Whether the command does nothing but run another one as it is, so that a rule for that one may see through it.
fn is_transparent(argv: &[Word], effect: &Effect<'_>) -> bool {
    let name = argv.first().and_then(Word::literal);
    matches!(name, Some("timeout" | "nice" | "time"))
        && effect.verdict == Verdict::ReadOnly
        && matches!(&effect.runs[..], [Run::Command { .. }])
}
