//! `find`: starting points, then an expression of predicates, each a word of its own.

use std::borrow::Cow;

use super::effect::{Change, Effect, How, Run, Verdict};
use super::table::{Arity, Kind, Shape};
use super::words::{self, Start};
use super::{Danger, Reason, ReasonKind, danger, value};
use crate::bash::{Part, Word};

/// Predicates that choose few of the files.
const FILTERS: [&str; 12] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-regex",
    "-iregex",
    "-mtime",
    "-mmin",
    "-newer",
    "-size",
    "-empty",
];

/// Judges the arguments of `find`; `shape` has the predicates that only look.
pub(super) fn judge<'a>(shape: &Shape, args: &'a [Word]) -> Effect<'a> {
    let mut effect = Effect::read_only();
    if let Err(reason) = read(shape, args, &mut effect)
        && !matches!(effect.verdict, Verdict::Dangerous(_))
    {
        effect.verdict = Verdict::Other(reason);
    }
    effect
}

fn read<'a>(shape: &Shape, args: &'a [Word], effect: &mut Effect<'a>) -> Result<(), Reason> {
    let name = || "find".to_owned();
    let mut at = 0;
    // `-L`, `-P`, `-H` and `-O1` come first.
    while let Some(word) = args.get(at) {
        match word.literal() {
            Some("-L" | "-P" | "-H" | "-O0" | "-O1" | "-O2" | "-O3") => at += 1,
            _ => break,
        }
    }
    let mut roots: Vec<&Word> = Vec::new();
    while let Some(word) = args.get(at) {
        let text = word.literal();
        match words::start(word) {
            Start::Plain if matches!(text, Some("(" | ")" | "!" | ",")) => break,
            Start::Plain => roots.push(word),
            Start::Dash => break,
            Start::Any => {
                return Err(Reason { kind: ReasonKind::MayBeOption(name()), span: Some(word.span()) });
            }
        }
        at += 1;
    }
    effect.reads.extend(roots.iter().map(|word| Cow::Borrowed(*word)));
    let mut outcome = Ok(());
    let chosen =
        args.get(at..).unwrap_or_default().iter().filter_map(Word::literal).any(|text| FILTERS.contains(&text));
    let all_of_it = roots.is_empty() && !chosen
        || roots.iter().any(|root| danger::is_vital(root) && (!chosen || !root.literal_prefix().starts_with('.')));
    while let Some(word) = args.get(at) {
        at += 1;
        let Some(text) = word.literal() else {
            if is_harmless_glob(word) {
                continue;
            }
            return Err(Reason { kind: ReasonKind::MayBeOption(name()), span: Some(word.span()) });
        };
        match text {
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let program = args.get(at).map(|word| word.literal_prefix().rsplit('/').next().unwrap_or_default());
                if all_of_it && matches!(program, Some("rm" | "rmdir" | "unlink" | "shred")) {
                    effect.verdict = Verdict::Dangerous(Danger::RemovesTree);
                }
                at = run(text, &roots, args, at, effect)?;
                if text.starts_with("-ok") {
                    outcome = outcome.and(Err(changes()));
                }
            }
            "-delete" => {
                for root in &roots {
                    let mut parts = root.parts().to_vec();
                    if chosen {
                        parts.push(words::unknown_part("{}", true));
                    }
                    let path = Cow::Owned(Word::new(parts, root.span()));
                    effect.writes.push(Change { path, how: How::Remove });
                }
                if all_of_it {
                    effect.verdict = Verdict::Dangerous(Danger::RemovesTree);
                }
                outcome = Err(changes());
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(path) = args.get(at) {
                    effect.writes.push(Change { path: Cow::Borrowed(path), how: How::Write });
                }
                at += if text == "-fprintf" { 2 } else { 1 };
                outcome = Err(changes());
            }
            _ => {
                let Some(flag) = shape.flag(text) else {
                    let kind = ReasonKind::UnknownOption { program: name(), option: value::shorten(text) };
                    return Err(Reason { kind, span: Some(word.span()) });
                };
                if let Arity::Required(kind) = &flag.arity {
                    at = operand(kind, word, args, at, effect)?;
                }
            }
        }
    }
    outcome
}

fn changes() -> Reason {
    Reason { kind: ReasonKind::Writes("find".to_owned()), span: None }
}

/// The operand of a predicate.
fn operand<'a>(
    kind: &Kind,
    predicate: &Word,
    args: &'a [Word],
    at: usize,
    effect: &mut Effect<'a>,
) -> Result<usize, Reason> {
    let Some(word) = args.get(at) else {
        let option = predicate.literal().unwrap_or_default().to_owned();
        let kind = ReasonKind::OptionValue { program: "find".to_owned(), option };
        return Err(Reason { kind, span: Some(predicate.span()) });
    };
    if !words::is_one(word) && !is_harmless_glob(word) {
        return Err(Reason { kind: ReasonKind::MayBeSeveral("find".to_owned()), span: Some(word.span()) });
    }
    let mut facts = value::Facts::default();
    value::accept(kind, "find", Cow::Borrowed(word), &mut facts)?;
    effect.reads.append(&mut facts.reads);
    Ok(at + 1)
}

/// A pattern that was meant for `find` itself: names that end in a text with a dot are no predicates.
fn is_harmless_glob(word: &Word) -> bool {
    !words::splits(word)
        && word.has_glob()
        && word.parts().iter().all(|part| !matches!(part, Part::Unknown { .. }))
        && matches!(word.parts().last(), Some(Part::Text(text)) if text.contains('.') && !text.contains('/'))
}

/// The command of `-exec`, once for each starting point, with the name that was found in place of `{}`.
fn run<'a>(
    predicate: &str,
    roots: &[&'a Word],
    args: &'a [Word],
    at: usize,
    effect: &mut Effect<'a>,
) -> Result<usize, Reason> {
    let wrong = |span| Reason { kind: ReasonKind::Operands("find -exec".to_owned()), span };
    let rest = args.get(at..).unwrap_or_default();
    let mut end = None;
    for (index, word) in rest.iter().enumerate() {
        match word.literal() {
            Some(";") => end = Some(index),
            // `+` ends the command only right behind `{}`.
            Some("+") if index > 0 && rest.get(index - 1).and_then(Word::literal) == Some("{}") => end = Some(index),
            Some(_) => {}
            // What could turn into the end of the command, or bring it along, would make predicates of the words behind it.
            None if words::is_one(word)
                && words::start(word) != Start::Any
                && !word.literal_prefix().starts_with([';', '+', '{']) => {}
            None => return Err(wrong(Some(word.span()))),
        }
        if end.is_some() {
            break;
        }
    }
    // Without an end `find` refuses, but whoever reads the command should still be told what was meant to run.
    let length = end.unwrap_or(rest.len());
    let command = rest.get(..length).unwrap_or_default();
    if command.is_empty() {
        return Err(wrong(None));
    }
    let here = Word::text(".");
    let anywhere = words::unknown("{}", true);
    // So many starting points are not followed one by one.
    const MOST: usize = 4;
    let starts: Vec<&Word> = match roots.len() {
        0 => vec![&here],
        1..=MOST => roots.to_vec(),
        _ => vec![&anywhere],
    };
    let in_place = predicate.ends_with("dir");
    for root in starts {
        let mut parts: Vec<Part> = if in_place { vec![Part::Text("./".to_owned())] } else { root.parts().to_vec() };
        parts.push(words::unknown_part("{}", true));
        let found = Word::new(parts, root.span());
        let argv = command
            .iter()
            .map(|word| {
                if word.literal() == Some("{}") {
                    return found.clone();
                }
                words::replace_mark(word, "{}", &words::unknown_part("{}", true))
            })
            .collect::<Vec<_>>();
        effect.runs.push(Run::Command { assignments: Vec::new(), argv: Cow::Owned(argv) });
    }
    end.ok_or_else(|| wrong(None))?;
    Ok(at + length + 1)
}
