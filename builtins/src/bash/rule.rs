//! Rules about commands: `npm run:*`, `git log *`, `npm test`.

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

    /// Whether a rule with this content may let the whole text run: every command in it is covered, or only reads.
    pub(super) fn covers(&self, analysis: &Analysis) -> bool {
        let harmless = |command: &Judged| command.level == Level::ReadOnly;
        let known = analysis.fault.is_none() && analysis.notes.is_empty() && analysis.danger().is_none();
        let covered = |command: &Judged| self.covers_command(command);
        known
            && analysis.commands.iter().all(|command| harmless(command) || command.is_transparent || covered(command))
            && analysis.commands.iter().any(covered)
    }

    fn covers_command(&self, command: &Judged) -> bool {
        command.variables.iter().all(|name| is_harmless_for_rules(name))
            && forms(&command.argv)
                .iter()
                .any(|argv| self.matches_with(argv, &|text, word| word.literal() == Some(text)))
    }

    /// Whether a rule with this content is meant for any command in the text, however that is run.
    pub(super) fn hits(&self, analysis: &Analysis) -> bool {
        // What is not known may be what the rule is about.
        let unknown = |text: &str, word: &Word| word.literal().is_none() || word.literal() == Some(text);
        analysis.commands.iter().filter(|command| !command.argv.is_empty()).any(|command| {
            let Some((program, rest)) = command.argv.split_first() else { return false };
            let named = program.literal().map(|path| Word::text(base_name(path)));
            let Some(named) = named else { return false };
            let skipped = Catalogue::built_in().globals(&command.argv);
            let behind = rest.get(skipped..).unwrap_or_default();
            [rest, behind].iter().any(|rest| {
                let argv: Vec<Word> = std::iter::once(named.clone()).chain(rest.iter().cloned()).collect();
                self.matches_with(&argv, &unknown)
            })
        })
    }

    fn matches_with(&self, argv: &[Word], same: &dyn Fn(&str, &Word) -> bool) -> bool {
        match self {
            Self::Prefix(words) => {
                !words.is_empty()
                    && argv.len() >= words.len()
                    && words.iter().zip(argv).all(|(text, word)| same(text, word))
            }
            Self::Words(words) => !words.is_empty() && matches_words(words, argv, same),
        }
    }
}

fn matches_words(words: &[String], argv: &[Word], same: &dyn Fn(&str, &Word) -> bool) -> bool {
    match words.split_first() {
        None => argv.is_empty(),
        Some((star, rest)) if star == "*" => {
            // Only a star at the end stands for any number of words; elsewhere it is one.
            if rest.is_empty() {
                true
            } else {
                argv.split_first().is_some_and(|(_, behind)| matches_words(rest, behind, same))
            }
        }
        Some((text, rest)) => argv.split_first().is_some_and(|(word, behind)| {
            let fits = match text.contains('*') {
                true => word.literal().is_some_and(|literal| fits_wildcard(text, literal)),
                false => same(text, word),
            };
            fits && matches_words(rest, behind, same)
        }),
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

/// The ways to look at a command that a rule may be about: as it is, and git without the directory that it is told.
fn forms(argv: &[Word]) -> Vec<Vec<Word>> {
    let mut forms = Vec::new();
    let Some((program, rest)) = argv.split_first() else { return forms };
    let Some(path) = program.literal() else { return forms };
    let trusted = match path.rsplit_once('/') {
        None => Some(path),
        Some(("/bin" | "/usr/bin", name)) => Some(name),
        Some(_) => None,
    };
    forms.push(argv.to_vec());
    if let Some(name) = trusted {
        let named = |rest: &[Word]| std::iter::once(Word::text(name)).chain(rest.iter().cloned()).collect::<Vec<_>>();
        if name != path {
            forms.push(named(rest));
        }
        if let [flag, directory, behind @ ..] = rest
            && name == "git"
            && flag.literal() == Some("-C")
            && directory.literal().is_some_and(is_below)
        {
            forms.push(named(behind));
        }
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
            None => format!("{program}:*"),
        };
        if Pattern::new(&content).covers_command(command) && !contents.contains(&content) {
            contents.push(content);
        }
        if contents.len() == SUGGESTED {
            break;
        }
    }
    contents
}
