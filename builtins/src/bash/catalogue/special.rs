//! Commands whose arguments are no options and operands: `test`, and those that change what they run.

use std::borrow::Cow;

use super::effect::{Effect, Run, Verdict};
use super::words::{self, Start};
use super::{Reason, ReasonKind, variables};
use crate::bash::{Part, Word};

/// `test …` and `[ … ]`: harmless as long as nothing can make the shell evaluate the name of a variable, whose subscript may
/// hold a command.
pub(super) fn test<'a>(program: &str, args: &'a [Word]) -> Effect<'a> {
    let mut effect = Effect::read_only();
    let args = match (program, args) {
        ("[", [inner @ .., last]) if last.literal() == Some("]") => inner,
        ("[", _) => {
            effect.verdict = Verdict::Other(Reason { kind: ReasonKind::Operands("[".to_owned()), span: None });
            return effect;
        }
        (_, all) => all,
    };
    for (index, word) in args.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|at| args.get(at));
        if words::splits(word) || word.has_glob() && words::start(word) != Start::Plain {
            let kind = ReasonKind::MayBeSeveral(program.to_owned());
            effect.verdict = Verdict::Other(Reason { kind, span: Some(word.span()) });
            return effect;
        }
        let names_variable = before.is_some_and(may_ask_for_variable)
            && !word
                .literal()
                .is_some_and(|text| text.chars().all(|c| c.is_alphanumeric() || "_./-=!<>:,+ ()".contains(c)));
        if names_variable {
            let kind = ReasonKind::ValueNotLiteral {
                program: program.to_owned(),
                rule: "behind another unknown argument it could be evaluated",
            };
            effect.verdict = Verdict::Other(Reason { kind, span: Some(word.span()) });
            return effect;
        }
        if before.and_then(Word::literal).is_some_and(looks_at_file) {
            effect.reads.push(Cow::Borrowed(word));
        }
    }
    effect
}

/// `-v` and `-R` take the name of a variable.
fn may_ask_for_variable(word: &Word) -> bool {
    match word.literal() {
        Some(text) => matches!(text, "-v" | "-R"),
        None => words::start(word) != Start::Plain,
    }
}

fn looks_at_file(operator: &str) -> bool {
    matches!(operator, "-nt" | "-ot" | "-ef")
        || operator.len() == 2
            && operator.starts_with('-')
            && operator.contains(|c| "abcdefghkprstuwxGLNOS".contains(c))
}

/// The command behind `env`, with the assignments before it; none when there is no command.
pub(super) fn env(argv: &[Word]) -> Option<Run<'_>> {
    let is_assignment = |word: &&Word| word.literal_prefix().contains('=') || word.literal().is_none();
    let count = argv.iter().take_while(is_assignment).count();
    let (assignments, command) = argv.split_at_checked(count)?;
    if command.is_empty() {
        return None;
    }
    let assignments = assignments.iter().map(Cow::Borrowed).collect();
    Some(Run::Command { assignments, argv: Cow::Borrowed(command) })
}

/// The command without the `--` that some programs want before it.
pub(super) fn without_dashes(argv: &[Word]) -> &[Word] {
    match argv {
        [dashes, rest @ ..] if dashes.literal() == Some("--") => rest,
        all => all,
    }
}

/// The command that `xargs` runs: with what it reads behind it, or in place of `mark`.
pub(super) fn xargs<'a>(command: Option<&'a [Word]>, mark: Option<&str>) -> Run<'a> {
    let mut argv = match command {
        Some(words) => words.to_vec(),
        None => vec![Word::text("echo")],
    };
    match mark {
        Some(mark) => {
            let line = words::unknown_part("xargs", true);
            argv = argv.iter().map(|word| words::replace_mark(word, mark, &line)).collect();
        }
        None => argv.push(words::unknown("xargs", false)),
    }
    Run::Command { assignments: Vec::new(), argv: Cow::Owned(argv) }
}

/// The text that `eval` hands to the shell: its arguments, joined by blanks.
pub(super) fn eval(args: &[Word]) -> Option<Run<'_>> {
    let args = match args {
        [dashes, rest @ ..] if dashes.literal() == Some("--") => rest,
        all => all,
    };
    let (first, rest) = args.split_first()?;
    if rest.is_empty() {
        return Some(Run::Script(Cow::Borrowed(first)));
    }
    let mut parts = first.parts().to_vec();
    for word in rest {
        parts.push(Part::Text(" ".to_owned()));
        parts.extend(word.parts().iter().cloned());
    }
    Some(Run::Script(Cow::Owned(Word::new(parts, first.span()))))
}

/// Whether all assignments of a command that is run in turn are ones that programs take for no more than words.
pub(super) fn harmless_assignments(assignments: &[Cow<'_, Word>]) -> bool {
    assignments.iter().all(|word| {
        word.literal()
            .and_then(|text| text.split_once('='))
            .is_some_and(|(name, _)| variables::is_harmless_for_programs(name))
    })
}
