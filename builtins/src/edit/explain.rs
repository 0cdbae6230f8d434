//! Why a text was not found: what it would take to find it, and where something like it is. It is only said, never
//! acted on.

mod fold;
mod near;

use self::fold::Fold;
use super::matching::Search;
use crate::text::TextFormat;
use crate::unit::{Unit, with_lf};

/// Of larger texts nothing is said: the model is better off searching them.
const MAX_BYTES: usize = 4 * 1024 * 1024;

const TOO_LARGE: &str = ": use Grep to find the lines as they are, and Read to see them";

/// How many lines of the file are shown, and how many characters of each.
const MAX_LINES: usize = 8;
const MAX_CHARS: usize = 200;

/// What would make the old text found.
const WAYS: [(&str, Fold); 6] = [
    ("the line numbers that Read puts before each line were left out", Fold::LINE_NUMBERS),
    ("`\\n`, `\\t`, `\\\"` or `\\\\` were written as the characters that they stand for", Fold::ESCAPES),
    ("its white space were the same", Fold::SPACE),
    ("its quotes and dashes were the same", Fold::MARKS),
    ("its upper and lower case were the same", Fold::CASE),
    ("its white space, quotes, dashes and upper and lower case were the same", Fold::ALL),
];

/// How many of the lines are listed that hold a text.
const MAX_LISTED: usize = 5;

/// The text is nowhere.
pub(super) fn not_found(path: &str, text: &[u8], format: TextFormat, old: &str) -> String {
    let why = if text.len() > MAX_BYTES {
        TOO_LARGE.into()
    } else {
        explain(&with_lf(&format.decode(text).0), &with_lf(old))
    };
    format!("Nothing was changed, because `old_string` was not found in `{path}`{why}")
}

/// The text is in several places.
pub(super) fn ambiguous(path: &str, text: &[u8], unit: Unit, search: &Search<'_>) -> String {
    let (mut line, mut from, mut count) = (0, 0, 0);
    let mut lines: Vec<usize> = Vec::new();
    for place in search.occurrences() {
        count += 1;
        if lines.len() < MAX_LISTED {
            line += unit.count_line_feeds(&text[from..place.start]);
            from = place.start;
            if lines.last() != Some(&(line + 1)) {
                lines.push(line + 1);
            }
        }
    }
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    let more = if lines.len() == MAX_LISTED { " and maybe others" } else { "" };
    let listed = lines.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let times = match count {
        1 => "at places that overlap".to_owned(),
        _ => format!("{count} times"),
    };
    format!(
        "Nothing was changed, because `old_string` appears {times} in `{path}` ({noun} {listed}{more}): take more of the \
         text around the one that you mean, or set `replace_all` to true to replace all of them."
    )
}

/// What can be said about an old text that is not in the text of a file, both with LF alone; empty if nothing can.
/// It goes on after `… was not found in FILE`.
fn explain(text: &str, old: &str) -> String {
    if text.is_empty() {
        return ": the file is empty".into();
    }
    let lines: Vec<&str> = text.split('\n').collect();
    for (condition, fold) in WAYS {
        let places = fold.find(text, old);
        if let Some((first, last)) = places.first() {
            let more = match places.len() {
                1 => String::new(),
                2 => " and 1 more place".to_owned(),
                count => format!(" and {} more places", count - 1),
            };
            let hint = if fold == Fold::SPACE { tabs(&lines[*first..=*last], old) } else { "" };
            let at = lines_in_words(*first, *last);
            let excerpt = excerpt(&lines, *first, *last);
            return format!(
                ": it would be found at {at}{more} if {condition}{hint}; copy the text as the file has it:\n{excerpt}"
            );
        }
    }
    let Some(near) = near::nearest(&lines, old) else {
        return ": nothing in the file is like it; read the file again".into();
    };
    let at = lines_in_words(near.first, near.last);
    let excerpt = excerpt(&lines, near.first, near.last);
    match near.differs {
        Some((line, wanted)) => format!(
            ": the nearest text is at {at}, where line {} differs from `{}`:\n{excerpt}",
            line + 1,
            cut(wanted).trim(),
        ),
        None => format!(": the nearest text is at {at}:\n{excerpt}"),
    }
}

/// Says what cannot be seen.
fn tabs(lines: &[&str], old: &str) -> &'static str {
    match (lines.iter().any(|line| line.contains('\t')), old.contains('\t')) {
        (true, false) => " (the file has tabs there)",
        (false, true) => " (the file has no tabs there)",
        _ => "",
    }
}

/// Lines by their numbers, which begin at 1.
fn lines_in_words(first: usize, last: usize) -> String {
    if first == last { format!("line {}", first + 1) } else { format!("lines {}-{}", first + 1, last + 1) }
}

/// Lines in the form in which Read shows them.
fn excerpt(lines: &[&str], first: usize, last: usize) -> String {
    let shown = lines.iter().enumerate().take(last + 1).skip(first).take(MAX_LINES);
    let shown: Vec<String> = shown.map(|(index, line)| format!("{:>6}\t{}", index + 1, cut(line))).collect();
    shown.join("\n")
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests;
