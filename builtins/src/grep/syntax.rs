//! Whether `grep` understands a pattern in the same way.

use super::query::Query;

/// The option and the pattern for a `grep`, if it can search for that at all.
pub(super) fn for_grep(query: &Query) -> Option<(&'static str, String)> {
    let pattern = &query.pattern;
    // It has no notion of a match over several lines, and an end of line in the pattern separates two patterns.
    if query.multiline || pattern.contains(['\n', '\r']) {
        return None;
    }
    if !pattern.contains(['\\', '.', '*', '+', '?', '|', '(', ')', '[', ']', '{', '}', '^', '$']) {
        return Some(("--fixed-strings", pattern.clone()));
    }
    // A carriage return before the end of a line belongs to it.
    Some((if is_extended(pattern) { "--extended-regexp" } else { "--perl-regexp" }, with_line_ends(pattern)?))
}

/// Whether it means the same as an extended regular expression of POSIX.
fn is_extended(pattern: &str) -> bool {
    let mut chars = pattern.chars().peekable();
    let mut repeated = true;
    while let Some(c) = chars.next() {
        match c {
            '*' | '+' | '?' if repeated => return false,
            '{' | '}' | '[' | ']' => return false,
            '(' if chars.peek() == Some(&'?') => return false,
            '\\' if !chars.next().is_some_and(|c| c.is_ascii_punctuation() && !matches!(c, '<' | '>' | '`' | '\'')) => {
                return false;
            }
            _ => {}
        }
        repeated = matches!(c, '*' | '+' | '?' | '(' | '|' | '^');
    }
    true
}

/// The same pattern with an optional carriage return before each end of line; nothing if it is not clear where they are.
fn with_line_ends(pattern: &str) -> Option<String> {
    let mut text = String::with_capacity(pattern.len() + 4);
    let mut class = false;
    let mut chars = pattern.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                text.push(c);
                text.extend(chars.next());
                continue;
            }
            // Classes in classes, and their sets, are Rust's own.
            '[' if class => return None,
            '&' | '~' | '-' if class && chars.peek() == Some(&c) => return None,
            '[' => class = true,
            ']' => class = false,
            '$' if !class => text.push_str("\r?"),
            _ => {}
        }
        text.push(c);
    }
    // Modes may change what `$` and white space mean.
    (!pattern.contains("(?")
        || pattern.contains("(?:") && pattern.matches("(?").count() == pattern.matches("(?:").count())
    .then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_given_to_grep_only_where_it_means_the_same() {
        for (pattern, expected) in [
            ("a.b*", true),
            (r"\(a\)|b+", true),
            ("^a?$", true),
            ("a+?", false),
            ("*", false),
            (r"\d", false),
            (r"\<a", false),
            ("a{2}", false),
            ("(?:a)", false),
            ("[a]", false),
        ] {
            assert_eq!(is_extended(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn a_line_may_end_with_a_carriage_return() {
        assert_eq!(with_line_ends(r"a$|\$[$]").as_deref(), Some("a\r?$|\\$[$]"));
        for pattern in ["[a&&b]", "[[:alpha:]]", "(?s)a", "(?P<x>a)"] {
            assert_eq!(with_line_ends(pattern), None, "{pattern}");
        }
    }
}
