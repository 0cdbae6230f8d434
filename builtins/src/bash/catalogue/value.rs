//! What each kind of value accepts, and what it adds to the effect.

use std::borrow::Cow;

use super::effect::{Change, How};
use super::table::Kind;
use super::{Reason, ReasonKind, awk, sed, variables};
use crate::bash::{Part, Word};

/// What a scan has found.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    pub reads: Vec<Cow<'a, Word>>,
    pub writes: Vec<Change<'a>>,
    pub places: Vec<Cow<'a, Word>>,
    /// The command at the end.
    pub command: Option<&'a [Word]>,
    pub script: Option<Cow<'a, Word>>,
    /// What `xargs` puts its input in place of.
    pub mark: Option<String>,
    /// A sed script runs commands or writes files.
    pub sed_escapes: bool,
}

/// Checks that `word` may stand where a value of this kind does.
pub(super) fn accept<'a>(kind: &Kind, program: &str, word: Cow<'a, Word>, facts: &mut Facts<'a>) -> Result<(), Reason> {
    let known = |rule: &'static str| {
        word.literal().ok_or_else(|| Reason {
            kind: ReasonKind::ValueNotLiteral { program: program.to_owned(), rule },
            span: Some(word.span()),
        })
    };
    let refuse = |rule: &'static str| {
        Err(Reason {
            kind: ReasonKind::Value {
                program: program.to_owned(),
                value: shorten(word.literal().unwrap_or_else(|| word.literal_prefix())),
                rule,
            },
            span: Some(word.span()),
        })
    };
    let check = |rule: &'static str, good: fn(&str) -> bool| {
        if good(known(rule)?) { Ok(()) } else { refuse(rule) }
    };
    match kind {
        Kind::Text | Kind::Pair => Ok(()),
        Kind::Literal => known("write it out").map(|_| ()),
        Kind::Number => check("a number is expected", is_number),
        Kind::Name => check("a plain name is expected", is_name),
        Kind::Key => check("a name without `=` is expected", |text| is_name(text) && !text.contains('=')),
        Kind::Dotted => check("a name with a dot is expected", |text| {
            text.contains('.') && !text.starts_with('-') && !text.chars().any(|c| c.is_whitespace() || c.is_control())
        }),
        // A value that is no user's name is taken for further letters, of which `e` shows environments.
        Kind::PsUser => check("the name of a user is expected", |text| is_name(text) && !text.starts_with('x')),
        Kind::Suffix => check("an ending without `/` and `*` is expected", |text| !text.contains(['/', '*'])),
        Kind::Variable => check("a variable that no program looks at is expected", variables::is_harmless_name),
        Kind::GitFormat => check("a format that checks no signatures is expected", is_git_format),
        Kind::Printf => check("a format without `%n` is expected", is_printf_format),
        Kind::Jq => check("a filter without `env` is expected", is_jq_filter),
        Kind::Awk => check("only awk programs that do no more than print are known", awk::only_prints),
        Kind::Plus => {
            if word.literal_prefix().starts_with('+') {
                Ok(())
            } else {
                refuse("a format that starts with `+` is expected")
            }
        }
        Kind::Set(set) => {
            let rule = "it is not one of the words known there";
            let good = known(rule)?.split(',').all(|piece| set.contains(piece.split('/').next().unwrap_or(piece)));
            if good { Ok(()) } else { refuse(rule) }
        }
        Kind::Sed => {
            let rule = "only sed scripts that print are known";
            match sed::read(known(rule)?) {
                sed::Script::Prints => Ok(()),
                sed::Script::Escapes => {
                    facts.sed_escapes = true;
                    Ok(())
                }
                sed::Script::Unclear => refuse(rule),
            }
        }
        Kind::Read | Kind::ReadNoAt | Kind::Archive => {
            if word.literal() == Some("-") {
                return Ok(());
            }
            if !matches!(kind, Kind::Read) && word.literal_prefix().starts_with('@') {
                return refuse("a file whose name starts with `@` would be read as options");
            }
            if matches!(kind, Kind::Archive) && known("the name of an archive has to be known")?.contains(':') {
                return refuse("an archive whose name has a colon may be on another machine");
            }
            let endless = matches!(word.literal(), Some("/dev/urandom" | "/dev/random"));
            if !(endless && program == "head")
                && let Some(text) = word.literal()
                && let Some(rule) = special_file(text)
            {
                return refuse(rule);
            }
            facts.reads.push(word);
            Ok(())
        }
        Kind::Place => {
            if matches!(word.literal(), Some("-" | "")) {
                return refuse("a directory that is known is expected");
            }
            facts.places.push(word);
            Ok(())
        }
        Kind::Write | Kind::Remove => {
            let slash_in_brackets = |text: &str| {
                let mut rest = text;
                while let Some((_, behind)) = rest.split_once('[') {
                    if behind.find('/').is_some_and(|slash| behind.find(']').is_none_or(|end| slash < end)) {
                        return true;
                    }
                    rest = behind;
                }
                false
            };
            // Shells do not agree on whether such a bracket is a pattern.
            if word
                .parts()
                .iter()
                .any(|part| matches!(part, Part::Glob(text) | Part::Text(text) if slash_in_brackets(text)))
            {
                return refuse("a pattern may not have a `/` between brackets");
            }
            let how = if matches!(kind, Kind::Write) { How::Write } else { How::Remove };
            facts.writes.push(Change { path: word, how });
            Ok(())
        }
        Kind::Script => {
            facts.script = Some(word);
            Ok(())
        }
        Kind::Mark => {
            facts.mark = Some(known("write it out")?.to_owned());
            Ok(())
        }
        // Only ever operands, which the scan takes as a whole.
        Kind::Command => refuse("a command is not a value"),
    }
}

/// The text, cut when it is long.
pub(super) fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// Why a file is none that reading leaves alone, or that has an end.
pub(super) fn special_file(path: &str) -> Option<&'static str> {
    if !path.starts_with('/') {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    match names.as_slice() {
        ["dev", "null" | "stdin"] | ["dev", "fd", ..] | ["dev"] => None,
        ["dev", "shm", _, ..] => None,
        ["dev", ..] => Some("reading a device may wait, never end, or change it"),
        ["proc", .., "environ" | "mem" | "kmsg" | "kcore" | "auxv" | "maps"] => {
            Some("the memory and environment of processes hold secrets")
        }
        _ => None,
    }
}

fn is_number(text: &str) -> bool {
    let text = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    !digits.is_empty() && text.len() - digits.len() <= 3 && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with('-')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '@' | ':' | '+' | ',' | '%' | '='))
}

/// Named formats of git's own, or a format whose places are known not to run a program: signatures are checked by one.
fn is_git_format(text: &str) -> bool {
    const NAMED: [&str; 9] = ["oneline", "short", "medium", "full", "fuller", "reference", "email", "raw", "mboxrd"];
    let plain = !text.contains("%G") && !text.contains("%(signature") && !text.contains("%(*signature");
    plain
        && (NAMED.contains(&text)
            || text.contains('%')
            || text.starts_with("format:")
            || text.starts_with("tformat:")
            || text.is_empty())
}

/// No conversion of the kind that stores a number in a variable.
fn is_printf_format(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once('%') {
        let conversion = behind.trim_start_matches(|c: char| "-+ #0'123456789.*hlLjzt".contains(c));
        if conversion.starts_with('n') {
            return false;
        }
        // Past one character, so that `%%` counts as one conversion.
        let mut characters = conversion.chars();
        characters.next();
        rest = characters.as_str();
    }
    // An escape could spell the letter or the percent sign only if the shell ran escapes first, which it does not.
    true
}

/// No access to the environment and to modules. Texts without interpolation are just texts.
fn is_jq_filter(text: &str) -> bool {
    let mut outside = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('"') {
        outside.push_str(before);
        let mut end = None;
        let mut escaped = false;
        for (at, c) in behind.char_indices() {
            match c {
                '(' if escaped => return has_no_access(text),
                '"' if !escaped => {
                    end = Some(at);
                    break;
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        let Some(end) = end else { return has_no_access(text) };
        outside.push(' ');
        rest = behind.get(end + 1..).unwrap_or_default();
    }
    outside.push_str(rest);
    // A comment could hide where a text starts.
    if outside.contains('#') { has_no_access(text) } else { has_no_access(&outside) }
}

fn has_no_access(text: &str) -> bool {
    let mut names = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    !names.any(|name| {
        matches!(name, "eval" | "input_filename" | "import" | "include" | "modulemeta" | "load" | "strenv" | "system")
            || name.starts_with("load_")
            || name.starts_with("env")
            || name.starts_with("ENV")
    })
}
