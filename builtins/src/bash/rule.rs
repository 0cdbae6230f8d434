//! Rules about commands: `npm run:*`, `git log *`, `npm test`.

use std::ops::Range;

use super::Word;
use super::analysis::{Analysis, Judged, Level};
use super::catalogue::{Catalogue, is_harmless_for_rules};

/// What the content of a rule stands for.
#[derive(Debug)]
pub(super) enum Pattern {
    /// Commands that begin with these words.
    Prefix(Vec<String>),
    /// Commands of exactly these words; `*` stands for any characters in a word, and alone for any number of words.
    Words(Vec<String>),
}

impl Pattern {
    /// The content of a rule.
    pub(super) fn new(content: &str) -> Self {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        match content.trim_end().strip_suffix(":*") {
            Some(prefix) => Self::Prefix(words(prefix)),
            None => Self::Words(words(content)),
        }
    }

    /// Whether the rule names a command of the text.
    pub(super) fn names_any(&self, analysis: &Analysis) -> bool {
        analysis.commands.iter().any(|command| self.words_covered(command) > 0)
    }

    /// How many words of the command the rule names, if it is about the command.
    fn words_covered(&self, command: &Judged) -> usize {
        if !command.variables.iter().all(|name| is_harmless_for_rules(name)) {
            return 0;
        }
        let known = |text: &str, word: &Word| word.literal() == Some(text);
        let forms = forms(&command.argv);
        let Some((_, rest)) = forms.iter().find(|(program, rest)| self.matches_with(program, rest, &known)) else {
            return 0;
        };
        match self {
            Self::Prefix(words) => words.len() + (command.argv.len() - 1 - rest.len()),
            Self::Words(_) => command.argv.len(),
        }
    }

    /// Whether a rule with this content is meant for any command in the text, however that is run.
    pub(super) fn hits(&self, analysis: &Analysis) -> bool {
        // What is not known may be what the rule is about.
        let unknown = |text: &str, word: &Word| word.literal().is_none() || word.literal() == Some(text);
        analysis.commands.iter().any(|command| {
            let Some((program, rest)) = command.argv.split_first() else { return false };
            let Some(path) = program.literal() else { return false };
            let named = Word::text(base_name(path));
            Catalogue::built_in()
                .subcommand_starts(&command.argv)
                .into_iter()
                .any(|skipped| self.matches_with(&named, rest.get(skipped..).unwrap_or_default(), &unknown))
        })
    }

    /// Whether the program and the words behind it are those of the rule.
    fn matches_with(&self, program: &Word, rest: &[Word], same: &dyn Fn(&str, &Word) -> bool) -> bool {
        let words = match self {
            Self::Prefix(words) | Self::Words(words) => words,
        };
        let Some((first, words)) = words.split_first() else { return false };
        match self {
            Self::Prefix(_) => {
                same(first, program)
                    && rest.len() >= words.len()
                    && words.iter().zip(rest).all(|(text, word)| same(text, word))
            }
            Self::Words(_) if first == "*" && words.is_empty() => true,
            Self::Words(_) => fits_word(first, program, same) && matches_words(words, rest, same),
        }
    }
}

/// Rules that each may cover a part of the commands.
pub(super) struct Patterns<'p>(pub(super) &'p [Pattern]);

impl Patterns<'_> {
    /// Whether rules with these contents may let the whole text run: every command in it is covered, or only reads.
    pub(super) fn cover(&self, analysis: &Analysis) -> bool {
        let known = analysis.fault.is_none() && analysis.notes.is_empty() && analysis.danger().is_none();
        known
            && self.covers_all(&analysis.commands, 0..analysis.commands.len())
            && analysis.commands.iter().any(|command| self.words_covered(command) > 0)
    }

    /// Whether the commands of that range may run, those included that they run in turn.
    fn covers_all(&self, commands: &[Judged], range: Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            let Some(command) = commands.get(at) else { return false };
            let inner = at + 1..command.end;
            let covered = self.words_covered(command);
            let may_run = if command.is_transparent {
                self.covers_all(commands, inner.clone())
            } else if covered > 0 {
                self.covers_inner(commands, inner.clone(), covered)
            } else {
                // What looks harmless by itself may run something that a rule for that alone was not meant for.
                command.level == Level::ReadOnly
                    && commands.get(inner.clone()).is_some_and(|inner| inner.iter().all(is_read_only))
            };
            if !may_run {
                return false;
            }
            at = inner.end.max(at + 1);
        }
        true
    }

    /// Whether what a covered command runs may run as well: it only reads, or stands in the words that the rule names.
    fn covers_inner(&self, commands: &[Judged], range: Range<usize>, named: usize) -> bool {
        let mut at = range.start;
        while at < range.end {
            let Some(command) = commands.get(at) else { return false };
            let inner = at + 1..command.end;
            let left = command.inner_at.map_or(0, |begin| named.saturating_sub(begin));
            if left == 0 && !is_read_only(command) || !self.covers_inner(commands, inner.clone(), left) {
                return false;
            }
            at = inner.end.max(at + 1);
        }
        true
    }

    fn words_covered(&self, command: &Judged) -> usize {
        self.0.iter().map(|pattern| pattern.words_covered(command)).max().unwrap_or_default()
    }
}

fn is_read_only(command: &Judged) -> bool {
    command.level == Level::ReadOnly
}

fn matches_words(words: &[String], argv: &[Word], same: &dyn Fn(&str, &Word) -> bool) -> bool {
    match words.split_first() {
        None => argv.is_empty(),
        // Only a star at the end stands for any number of words; elsewhere it is one.
        Some((star, [])) if star == "*" => true,
        Some((text, words)) => argv
            .split_first()
            .is_some_and(|(word, argv)| fits_word(text, word, same) && matches_words(words, argv, same)),
    }
}

fn fits_word(text: &str, word: &Word, same: &dyn Fn(&str, &Word) -> bool) -> bool {
    match text {
        "*" => true,
        _ if text.contains('*') => word.literal().is_some_and(|literal| fits_wildcard(text, literal)),
        _ => same(text, word),
    }
}

/// Whether a word fits a text in which `*` stands for any characters.
fn fits_wildcard(pattern: &str, text: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The ways to look at a command that a rule may be about, each a program and the words behind it: as it is, by the bare
/// name of a program of the system, and git without the directory that it is told.
fn forms(argv: &[Word]) -> Vec<(Word, &[Word])> {
    let Some((program, rest)) = argv.split_first() else { return Vec::new() };
    let Some(path) = program.literal() else { return Vec::new() };
    let mut forms = vec![(program.clone(), rest)];
    let trusted = match path.rsplit_once('/') {
        None => Some(path),
        Some(("/bin" | "/usr/bin", name)) => Some(name),
        Some(_) => None,
    };
    let Some(name) = trusted else { return forms };
    if name != path {
        forms.push((Word::text(name), rest));
    }
    if let [flag, directory, behind @ ..] = rest
        && name == "git"
        && flag.literal() == Some("-C")
        && directory.literal().is_some_and(is_below)
    {
        forms.push((Word::text(name), behind));
    }
    forms
}

/// Whether a path cannot lead out of the directory from which it is seen, but for links.
fn is_below(path: &str) -> bool {
    !path.starts_with('/') && !path.split('/').any(|name| name == "..")
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// How many rules are suggested.
const SUGGESTED: usize = 5;

/// Programs that run whatever they are given: a rule for one would allow everything.
const INTERPRETERS: [&str; 40] = [
    "sh", "bash", "dash", "zsh", "fish", "ksh", "busybox", "env", "sudo", "doas", "su", "xargs", "eval", "exec",
    "command", "builtin", "nohup", "setsid", "timeout", "nice", "ionice", "time", "watch", "ssh", "python", "python2",
    "python3", "node", "deno", "bun", "ruby", "perl", "php", "lua", "awk", "gawk", "parallel", "script", "find",
    "docker",
];

/// The contents of rules that would let the commands run that do not run by themselves.
pub(super) fn suggestions(analysis: &Analysis) -> Vec<String> {
    let mut contents = Vec::new();
    for command in &analysis.commands {
        let stops = !matches!(command.level, Level::ReadOnly | Level::Dangerous(_)) && !command.is_transparent;
        let Some(program) = command.argv.first().and_then(Word::literal).filter(|_| stops) else { continue };
        if INTERPRETERS.contains(&base_name(program)) || program.contains(['*', ':']) {
            continue;
        }
        let second = command.argv.get(1).and_then(Word::literal);
        let plain = |word: &&str| {
            word.starts_with(|c: char| c.is_ascii_alphanumeric())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_:./".contains(c))
        };
        let content = match second.filter(plain) {
            Some(second) => format!("{program} {second}:*"),
            // All that a program can do is more than anybody means by one of its subcommands.
            None if Catalogue::built_in().has_subcommands(base_name(program)) => continue,
            None => format!("{program}:*"),
        };
        if Pattern::new(&content).words_covered(command) > 0 && !contents.contains(&content) {
            contents.push(content);
        }
        if contents.len() == SUGGESTED {
            break;
        }
    }
    contents
}
