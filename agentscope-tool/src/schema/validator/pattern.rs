//! Regular expressions of JSON Schema, which are those of JavaScript, in the syntax of the `regex` crate.

use regex::Regex;

use super::node::Pattern;

/// Compiles a `pattern`. The error is what is wrong with it, in one line.
pub(super) fn compile(text: &str) -> Result<Pattern, String> {
    let regex = Regex::new(&translate(text)).map_err(|error| one_line(&error))?;
    Ok(Pattern { text: text.into(), regex })
}

/// The crate draws its syntax errors over several lines; the last one says what is wrong.
fn one_line(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim().trim_start_matches("error: ").to_owned()
}

/// Rewrites what the two syntaxes read differently: `\d`, `\w` and `\b` mean ASCII in JavaScript, `.` leaves out every
/// line end, and inside of a class `[`, `&&`, `--` and `~~` mean nothing special.
fn translate(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut in_class = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('d') => result.push_str("[0-9]"),
                Some('D') => result.push_str("[^0-9]"),
                Some('w') => result.push_str("[A-Za-z0-9_]"),
                Some('W') => result.push_str("[^A-Za-z0-9_]"),
                Some('s') => result.push_str(
                    r"[\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]",
                ),
                Some('S') => result.push_str(
                    r"[^\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}]",
                ),
                Some('b') if in_class => result.push_str(r"\x08"),
                Some('b') => result.push_str(r"(?-u:\b)"),
                Some('/') => result.push('/'),
                Some(escaped) => result.extend(['\\', escaped]),
                None => result.push('\\'),
            },
            '[' if !in_class => {
                in_class = true;
                result.push('[');
                if characters.next_if_eq(&'^').is_some() {
                    result.push('^');
                }
            }
            ']' if in_class => {
                in_class = false;
                result.push(']');
            }
            '[' | '&' | '~' if in_class => result.extend(['\\', character]),
            '-' if in_class && characters.peek() == Some(&'-') => result.push_str(r"\-"),
            '.' if !in_class => result.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            other => result.push(other),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn patterns_mean_what_they_mean_in_javascript() {
        for (pattern, text, expected) in [
            (r"^\d+$", "123", true),
            (r"^\d+$", "१२३", false),
            (r"^\w$", "é", false),
            (r"^[\w-]+$", "a-b_1", true),
            (r"^[[&&~~]+$", "[&~", true),
            (r"^.$", "\r", false),
            (r"^.$", "😀", true),
            (r"^\/a$", "/a", true),
            (r"\bcat\b", "a cat!", true),
            (r"^\s$", "\u{feff}", true),
            (r"^[^\d]$", "x", true),
            (r"a$", "a\n", false),
        ] {
            assert_eq!(compile(pattern).unwrap().regex.is_match(text), expected, "{pattern} {text:?}");
        }
    }

    #[test]
    fn a_pattern_that_is_none_is_refused_with_one_line() {
        for pattern in ["(", r"(?=a)", "[", "a{2,1}", r"\1"] {
            let message = compile(pattern).unwrap_err();
            assert!(!message.is_empty() && !message.contains('\n'), "{message}");
        }
    }
}
