//! Why a text could not be replaced.

use std::ops::Range;

/// How many places are listed.
const LISTED: usize = 5;
/// How many characters of a line are shown.
const SHOWN: usize = 120;
/// Texts up to this size, in bytes, are searched for what is nearly the same.
const SEARCHED: usize = 16 * 1024 * 1024;

/// The text is in several places.
pub(super) fn ambiguous(path: &str, text: &[u8], places: &[Range<usize>]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let (mut line, mut at) = (1, 0);
    for place in places.iter().take(LISTED) {
        line += memchr::memchr_iter(b'\n', &text[at..place.start]).count();
        at = place.start;
        let line = line.to_string();
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    let more = if places.len() > LISTED { " and more" } else { "" };
    let or_more = if places.len() == super::matching::MOST { " or more" } else { "" };
    let noun = if lines.len() == 1 && more.is_empty() { "line" } else { "lines" };
    format!(
        "`old_string` appears {} times{or_more} in `{path}`, on {noun} {}{more}. Take more of the text around the one that you mean, or \
         set `replace_all` to true to replace all of them. Nothing was changed.",
        places.len(),
        lines.join(", ")
    )
}

/// The text is nowhere.
pub(super) fn not_found(path: &str, text: &str, old: &str) -> String {
    let mut message = format!("`old_string` was not found in `{path}`.");
    if let Some(hint) = hint(text, old) {
        message.push(' ');
        message.push_str(&hint);
    }
    message.push_str(" Nothing was changed.");
    message
}

fn hint(text: &str, old: &str) -> Option<String> {
    if text.is_empty() {
        return Some("The file is empty.".into());
    }
    if text.len() > SEARCHED {
        return None;
    }
    if let Some(stripped) = without_line_numbers(old)
        && text.contains(&stripped)
    {
        return Some(
            "It would be found without the line numbers that Read puts before each line, which are not in the file."
                .into(),
        );
    }
    let found = |what: &str, line: usize| {
        let lines: Vec<&str> = text.lines().skip(line).take(old.lines().count().clamp(1, LISTED)).collect();
        let shown = lines.iter().enumerate().map(|(index, text)| format!("{:>6}\t{}", line + index + 1, cut(text)));
        Some(format!("With other {what} it would match here:\n{}\n", shown.collect::<Vec<_>>().join("\n")))
    };
    if let Some(line) = nearly(text, old, without_blanks) {
        return found("blanks, tabs or line breaks", line);
    }
    if let Some(line) = nearly(text, old, plain_signs) {
        return found("quotation marks, dashes or spaces", line);
    }
    if let Some(line) = nearly(text, old, |c| without_blanks(c).map(|c| c.to_ascii_lowercase())) {
        return found("upper and lower case letters", line);
    }
    nearest_lines(text, old)
}

/// The text without `     1\t` at the start of its lines, if all of them have that.
fn without_line_numbers(old: &str) -> Option<String> {
    let line = |line: &'_ str| {
        let (number, rest) = line.split_once('\t')?;
        let digits = number.trim_start_matches(' ');
        (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| rest.to_owned())
    };
    old.split('\n').map(line).collect::<Option<Vec<_>>>().map(|lines| lines.join("\n"))
}

fn without_blanks(c: char) -> Option<char> {
    (!c.is_whitespace()).then_some(c)
}

/// Signs that look alike, as one of them.
fn plain_signs(c: char) -> Option<char> {
    Some(match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{201f}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{202f}' | '\u{2007}' => ' ',
        '\r' | '\u{200b}' | '\u{feff}' => return None,
        c => c,
    })
}

/// The line, counted from 0, at which the text would be found if both were looked at in this way.
fn nearly(text: &str, old: &str, seen: impl Fn(char) -> Option<char>) -> Option<usize> {
    let old: String = old.chars().filter_map(&seen).collect();
    if old.is_empty() {
        return None;
    }
    let seen_text: String = text.chars().filter_map(&seen).collect();
    let at = memchr::memmem::find(seen_text.as_bytes(), old.as_bytes())?;
    let characters = seen_text[..at].chars().count();
    // The same number of characters further in the text as it is.
    let (place, _) = text.char_indices().filter(|(_, c)| seen(*c).is_some()).nth(characters)?;
    Some(memchr::memchr_iter(b'\n', &text.as_bytes()[..place]).count())
}

/// The lines that are most like the first line of the text.
fn nearest_lines(text: &str, old: &str) -> Option<String> {
    let wanted = old.lines().map(str::trim).find(|line| line.chars().filter(|c| c.is_alphanumeric()).count() >= 3)?;
    let words = |line: &str| {
        let parts = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 1);
        parts.map(str::to_lowercase).collect::<std::collections::HashSet<_>>()
    };
    let wanted_words = words(wanted);
    let mut best: Vec<(usize, usize, &str)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let common = words(line).intersection(&wanted_words).count();
        if common * 2 > wanted_words.len() {
            best.push((common, number, line));
        }
    }
    best.sort_by_key(|(common, number, _)| (usize::MAX - common, *number));
    best.truncate(3);
    if best.is_empty() {
        return None;
    }
    let shown: Vec<_> = best.iter().map(|(_, number, line)| format!("{:>6}\t{}", number + 1, cut(line))).collect();
    Some(format!("The lines that are most like its first one:\n{}\n", shown.join("\n")))
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_without_guessing() {
        let text = "fn main() {\n\tprintln!(\"hello\");\n}\n// She said, \u{201c}Hello.\u{201d}\n";
        let hints: Vec<_> = [
            "    println!(\"hello\");",
            "     2\t\tprintln!(\"hello\");",
            "said, \"Hello.\"",
            "PRINTLN!",
            "println!(\"goodbye\", hello);",
            "nothing like it",
            "  ",
        ]
        .iter()
        .map(|old| format!("{old:?}: {}", not_found("/w/a.rs", text, old)))
        .collect();
        insta::assert_snapshot!(hints.join("\n---\n"));
    }

    #[test]
    fn the_lines_of_an_ambiguous_text_are_named() {
        let text = b"a\nb a\nc\na a\n";
        let places = [0..1, 4..5, 8..9, 10..11];
        insta::assert_snapshot!(ambiguous("/w/a", text, &places), @"`old_string` appears 4 times in `/w/a`, on lines 1, 2, 4. Take more of the text around the one that you mean, or set `replace_all` to true to replace all of them. Nothing was changed.");
    }
}
