//! Tells awk programs that only print from those that run commands, read or write files by themselves.
//!
//! Names that could do so are looked for in the plain text. Only where a `|` or `>` shows up is the program split into
//! tokens, to tell alternatives in patterns and comparisons from pipes and redirections; what has two readings is refused.

/// Whether the program only reads its input and prints.
pub(super) fn only_prints(program: &str) -> bool {
    const NAMES: [&str; 9] = ["system", "getline", "ENVIRON", "close", "fflush", "@", "extension", "PROCINFO", "/inet"];
    if NAMES.iter().any(|name| program.contains(name)) || program.contains('\\') && program.contains("\\\n") {
        return false;
    }
    !program.contains(['|', '>']) || tokens_only_print(program)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A slash here starts a regular expression.
    Operator,
    /// A slash here divides.
    Operand,
    /// A slash here may be either.
    Unclear,
}

fn tokens_only_print(program: &str) -> bool {
    let mut rest = program.chars().peekable();
    let mut before = Before::Operator;
    // In a `print` statement a `>` writes a file, but for one between parentheses.
    let mut printing = false;
    let mut depth = 0_usize;
    // A line break does not end the statement behind these.
    let mut goes_on = false;
    while let Some(c) = rest.next() {
        match c {
            ' ' | '\t' => continue,
            '\n' => {
                if !goes_on {
                    printing = false;
                    before = Before::Operator;
                }
                continue;
            }
            '#' => {
                while rest.next_if(|&c| c != '\n').is_some() {}
                continue;
            }
            '"' => {
                if !skip_string(&mut rest, '"') {
                    return false;
                }
                before = Before::Operand;
            }
            '/' => match before {
                Before::Operator => {
                    if !skip_regex(&mut rest) {
                        return false;
                    }
                    before = Before::Operand;
                }
                Before::Operand => before = Before::Operator,
                Before::Unclear => return false,
            },
            '|' => {
                if rest.next_if_eq(&'|').is_none() {
                    return false;
                }
                before = Before::Operator;
                goes_on = true;
                continue;
            }
            '>' => {
                if printing && (depth == 0 || rest.peek() == Some(&'>')) {
                    return false;
                }
                before = Before::Operator;
            }
            ';' | '}' => {
                printing = false;
                before = Before::Operator;
            }
            '(' => {
                depth += 1;
                before = Before::Operator;
            }
            ')' => {
                depth = depth.saturating_sub(1);
                before = Before::Unclear;
            }
            ']' => before = Before::Operand,
            '+' | '-' if rest.next_if_eq(&c).is_some() => before = Before::Unclear,
            c if c.is_ascii_alphanumeric() || c == '_' || c == '.' => {
                let mut word = String::from(c);
                while let Some(c) = rest.next_if(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
                    word.push(c);
                }
                match word.as_str() {
                    "print" | "printf" => {
                        printing = true;
                        depth = 0;
                        before = Before::Operator;
                    }
                    "in" | "return" | "else" | "do" | "case" | "exit" | "delete" => before = Before::Operator,
                    _ => before = Before::Operand,
                }
            }
            '\\' | '\'' | '`' | '@' => return false,
            _ => before = Before::Operator,
        }
        goes_on = matches!(c, ',' | '&' | '{' | '?' | ':');
    }
    true
}

fn skip_string(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, end: char) -> bool {
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                rest.next();
            }
            '\n' => return false,
            c if c == end => return true,
            _ => {}
        }
    }
    false
}

/// A regular expression; a slash between brackets has two readings.
fn skip_regex(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    let mut bracket = false;
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                rest.next();
            }
            '\n' => return false,
            '[' => bracket = true,
            ']' => bracket = false,
            '/' => return !bracket,
            _ => {}
        }
    }
    false
}
