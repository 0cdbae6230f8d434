//! Printing texts so that they can be read.

use std::borrow::Cow;
use std::io::{self, Write};

/// How much of a result is printed.
const MAX_LINES: usize = 12;
const MAX_WIDTH: usize = 160;

/// A text on one line, as short as needed.
pub(super) fn one_line(text: &str) -> String {
    cut(&text.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")).into_owned()
}

/// The first lines of a text, each as short as needed, and how many were left out.
#[must_use]
pub fn shorten(text: &str) -> String {
    let mut lines: Vec<Cow<'_, str>> = text.lines().take(MAX_LINES).map(cut).collect();
    let more = text.lines().count().saturating_sub(MAX_LINES);
    if more > 0 {
        lines.push(format!("… {more} more lines").into());
    }
    lines.join("\n")
}

/// Prints a text, each line set in.
pub(super) fn indented(text: &str, out: &mut dyn Write) -> io::Result<()> {
    text.lines().try_for_each(|line| writeln!(out, "  | {line}"))
}

fn cut(line: &str) -> Cow<'_, str> {
    match line.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line)).into(),
        None => line.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_says_by_how_much() {
        let text = "ä".repeat(MAX_WIDTH + 1) + &"\nx".repeat(MAX_LINES);
        let short = shorten(&text);
        assert!(short.starts_with(&format!("{}…\nx", "ä".repeat(MAX_WIDTH))));
        assert!(short.ends_with("\n… 1 more lines"));
        assert_eq!(shorten("a\nb"), "a\nb");
    }

    #[test]
    fn control_characters_of_a_model_do_not_reach_the_terminal() {
        assert_eq!(one_line("{\"a\": 'b'}\n\u{1b}[2J"), "{\"a\": 'b'}\\n\\u{1b}[2J");
    }
}
