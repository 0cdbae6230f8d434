//! Regular expressions in `pattern = "…"`: are they valid, and does a literal match?

use regex_syntax::{
    Parser,
    ast::ErrorKind,
    hir::{Class, Hir, HirKind, Look},
};

/// Repetitions beyond this many are cut off when a literal is matched; a literal is never that long.
const MAX_REPEATS: u32 = 10_000;

/// Parses a pattern, or says what is wrong with it as the end of a sentence.
pub(crate) fn parse(pattern: &str) -> Result<Hir, String> {
    Parser::new().parse(pattern).map_err(|error| match &error {
        regex_syntax::Error::Parse(error) => match error.kind() {
            ErrorKind::UnsupportedLookAround => {
                "uses look-around, which is not supported because it cannot be matched in linear time: rewrite it without".to_owned()
            }
            ErrorKind::UnsupportedBackreference => {
                "uses a backreference, which is not supported because it cannot be matched in linear time: rewrite it without".to_owned()
            }
            kind => format!("is no valid regular expression: {kind} at character {}", error.span().start.offset + 1),
        },
        regex_syntax::Error::Translate(error) => {
            format!("is no valid regular expression: {} at character {}", error.kind(), error.span().start.offset + 1)
        }
        _ => "is no valid regular expression".to_owned(),
    })
}

/// Whether the pattern matches somewhere in `text`, as in JSON Schema.
pub(crate) fn matches(pattern: &Hir, text: &str) -> bool {
    let starts = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    !step(pattern, text, starts).is_empty()
}

/// The positions where a match may end that began at one of `from`. Sets instead of backtracking, so that the
/// work is bounded by the lengths of pattern and text.
fn step(pattern: &Hir, text: &str, from: Vec<usize>) -> Vec<usize> {
    match pattern.kind() {
        HirKind::Empty => from,
        HirKind::Literal(literal) => {
            let bytes = &literal.0;
            from.into_iter()
                .filter(|at| text.as_bytes().get(*at..).is_some_and(|rest| rest.starts_with(bytes)))
                .map(|at| at + bytes.len())
                .collect()
        }
        HirKind::Class(class) => from.into_iter().filter_map(|at| class_end(class, text, at)).collect(),
        HirKind::Look(look) => from.into_iter().filter(|at| holds(*look, text, *at)).collect(),
        HirKind::Capture(capture) => step(&capture.sub, text, from),
        HirKind::Concat(parts) => parts.iter().fold(from, |from, part| step(part, text, from)),
        HirKind::Alternation(parts) => unique(parts.iter().flat_map(|part| step(part, text, from.clone())).collect()),
        HirKind::Repetition(repetition) => {
            let mut reached = if repetition.min == 0 { from.clone() } else { Vec::new() };
            let mut front = from;
            for round in 1..=repetition.max.unwrap_or(MAX_REPEATS).min(MAX_REPEATS) {
                front = unique(step(&repetition.sub, text, front));
                if round < repetition.min {
                    continue;
                }
                let before = reached.len();
                reached = unique(reached.into_iter().chain(front.iter().copied()).collect());
                if front.is_empty() || (round > repetition.min && reached.len() == before) {
                    break;
                }
            }
            reached
        }
    }
}

fn unique(mut positions: Vec<usize>) -> Vec<usize> {
    positions.sort_unstable();
    positions.dedup();
    positions
}

fn class_end(class: &Class, text: &str, at: usize) -> Option<usize> {
    match class {
        Class::Unicode(class) => {
            let next = text.get(at..)?.chars().next()?;
            class
                .ranges()
                .iter()
                .any(|range| (range.start()..=range.end()).contains(&next))
                .then(|| at + next.len_utf8())
        }
        Class::Bytes(class) => {
            let next = *text.as_bytes().get(at)?;
            class.ranges().iter().any(|range| (range.start()..=range.end()).contains(&next)).then_some(at + 1)
        }
    }
}

fn holds(look: Look, text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|before| before.chars().next_back());
    let after = text.get(at..).and_then(|after| after.chars().next());
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (left, right) = (is_word(before), is_word(after));
    match look {
        Look::Start => before.is_none(),
        Look::End => after.is_none(),
        Look::StartLF | Look::StartCRLF => before.is_none_or(|c| c == '\n'),
        Look::EndLF | Look::EndCRLF => after.is_none_or(|c| c == '\n'),
        Look::WordAscii | Look::WordUnicode => left != right,
        Look::WordAsciiNegate | Look::WordUnicodeNegate => left == right,
        Look::WordStartAscii | Look::WordStartUnicode => !left && right,
        Look::WordEndAscii | Look::WordEndUnicode => left && !right,
        Look::WordStartHalfAscii | Look::WordStartHalfUnicode => !left,
        Look::WordEndHalfAscii | Look::WordEndHalfUnicode => !right,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_what_is_unsupported() {
        assert!(parse("(?=a)").unwrap_err().contains("look-around"));
        assert!(parse(r"(a)\1").unwrap_err().contains("backreference"));
        assert!(parse("[a-").unwrap_err().contains("at character 1"));
        assert!(parse(r"^\p{L}+$").is_ok());
    }

    #[test]
    fn literals_are_matched_as_the_regex_crate_would() {
        for (pattern, yes, no) in [
            ("^[a-z]+(-[a-z]+)*$", "prod-eu", "prod-"),
            ("b{2,3}", "abbc", "abc"),
            ("^(a|bc){2}$", "abc", "abca"),
            (r"^\d{4}-\d{2}$", "2026-11", "2026-1"),
            (r"\bcat\b", "a cat.", "concat"),
            ("^(a*)*$", "aaaa", "b"),
            ("^$", "", "a"),
            ("^.{3}$", "äöü", "äö"),
            ("(?i)oslo", "OSLO", "bergen"),
            ("^a{0,2}$", "", "aaa"),
        ] {
            let parsed = parse(pattern).unwrap();
            assert!(matches(&parsed, yes), "{pattern} {yes}");
            assert!(!matches(&parsed, no), "{pattern} {no}");
        }
    }
}
