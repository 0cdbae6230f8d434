//! One component of a path pattern: the grammar within a name.

use std::iter::Peekable;
use std::str::CharIndices;

use regex::{Regex, RegexBuilder};

use super::error::{PatternError, Problem};

/// How much memory one compiled component may take, in bytes.
const MAX_COMPILED: usize = 1 << 20;

/// What one component of a pattern stands for.
#[derive(Clone, Debug)]
pub(super) enum Component {
    /// This very name.
    Literal(String),
    /// Any one name: `*`.
    Any,
    /// The names that an expression fits.
    Glob(Regex),
    /// Any number of names: `**`.
    AnyDepth,
}

impl Component {
    /// Compiles the text between two separators, which starts at `offset` in `content`.
    pub(super) fn parse(content: &str, offset: usize, text: &str) -> Result<Self, PatternError> {
        match text {
            "*" => Ok(Component::Any),
            "**" => Ok(Component::AnyDepth),
            _ => Parser { content, offset, text, chars: text.char_indices().peekable() }.run(),
        }
    }

    /// Whether it stands for `name`, alone.
    pub(super) fn is_match(&self, name: &str) -> bool {
        match self {
            Component::Literal(literal) => literal == name,
            Component::Any | Component::AnyDepth => true,
            Component::Glob(glob) => glob.is_match(name),
        }
    }
}

struct Parser<'a> {
    content: &'a str,
    offset: usize,
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
}

/// A `{` that is open.
struct Brace {
    at: usize,
    has_alternatives: bool,
}

impl Parser<'_> {
    fn run(mut self) -> Result<Component, PatternError> {
        let mut literal = String::new();
        let mut expression = String::from(r"\A(?s:");
        let mut is_literal = true;
        let mut braces: Vec<Brace> = Vec::new();
        while let Some((at, c)) = self.chars.next() {
            // A character that stands for itself, or nothing if a part of the expression was added.
            let plain = match (c, braces.last_mut()) {
                ('\\', _) => Some(self.escaped(at)?),
                ('*', brace) => {
                    if self.chars.peek().is_some_and(|(_, next)| *next == '*') {
                        let in_braces = brace.is_some();
                        return Err(self.double_star(at, in_braces));
                    }
                    expression.push_str(".*");
                    None
                }
                ('?', _) => {
                    expression.push('.');
                    None
                }
                ('[', _) => match self.class(at)? {
                    Class::One(c) => Some(c),
                    Class::Many(class) => {
                        expression.push_str(&class);
                        None
                    }
                },
                ('{', _) => {
                    braces.push(Brace { at, has_alternatives: false });
                    expression.push_str("(?:");
                    None
                }
                (',', Some(brace)) => {
                    brace.has_alternatives = true;
                    expression.push('|');
                    None
                }
                ('}', Some(brace)) => {
                    if !brace.has_alternatives {
                        let at = brace.at;
                        return Err(self.error(at, Problem::OneAlternative));
                    }
                    braces.pop();
                    expression.push(')');
                    None
                }
                (c, _) => Some(c),
            };
            match plain {
                Some(c) => {
                    literal.push(c);
                    push_char(&mut expression, c);
                }
                None => is_literal = false,
            }
        }
        if let Some(brace) = braces.last() {
            return Err(self.unclosed(brace.at, '{', '}'));
        }
        if is_literal {
            return Ok(Component::Literal(literal));
        }
        expression.push_str(r")\z");
        match RegexBuilder::new(&expression).size_limit(MAX_COMPILED).build() {
            Ok(glob) => Ok(Component::Glob(glob)),
            Err(_) => Err(self.error(0, Problem::TooLarge)),
        }
    }

    /// The character after the `\` at `at`.
    fn escaped(&mut self, at: usize) -> Result<char, PatternError> {
        match self.chars.next() {
            Some((_, c)) => Ok(c),
            None => Err(self.error(at, Problem::NothingEscaped)),
        }
    }

    /// What is between the `[` at `start` and its `]`.
    fn class(&mut self, start: usize) -> Result<Class, PatternError> {
        let negated = self.chars.next_if(|(_, c)| matches!(c, '!' | '^')).is_some();
        let mut ranges: Vec<(char, char)> = Vec::new();
        loop {
            let Some((at, c)) = self.chars.next() else { return Err(self.unclosed(start, '[', ']')) };
            let from = match c {
                ']' if !ranges.is_empty() => break,
                '[' if self.chars.peek().is_some_and(|(_, next)| matches!(next, ':' | '.' | '=')) => {
                    return Err(self.error(at, Problem::NamedClass));
                }
                '\\' => self.escaped(at)?,
                c => c,
            };
            let to = if self.is_range() {
                self.chars.next();
                match self.chars.next() {
                    Some((at, '\\')) => self.escaped(at)?,
                    Some((_, c)) => c,
                    None => return Err(self.unclosed(start, '[', ']')),
                }
            } else {
                from
            };
            if from > to {
                return Err(self.error(at, Problem::EmptyRange { from, to }));
            }
            ranges.push((from, to));
        }
        if let ([(from, to)], false) = (&*ranges, negated)
            && from == to
        {
            return Ok(Class::One(*from));
        }
        let mut class = String::from(if negated { "[^" } else { "[" });
        for (from, to) in ranges {
            push_char(&mut class, from);
            class.push('-');
            push_char(&mut class, to);
        }
        class.push(']');
        Ok(Class::Many(class))
    }

    /// Whether a `-` comes that has an end; a `-` before the `]` stands for itself.
    fn is_range(&self) -> bool {
        let mut ahead = self.chars.clone().map(|(_, c)| c);
        ahead.next() == Some('-') && ahead.next() != Some(']')
    }

    fn error(&self, at: usize, problem: Problem) -> PatternError {
        PatternError::new(self.offset + at, problem)
    }

    /// A component that ends inside of brackets: at the end of the pattern, or at a `/` before the closing one.
    fn unclosed(&self, at: usize, open: char, close: char) -> PatternError {
        let end = self.offset + self.text.len();
        if self.content[end..].contains(close) {
            PatternError::new(end, Problem::SeparatorInside { open, close })
        } else {
            self.error(at, Problem::Unclosed { open, close })
        }
    }

    fn double_star(&self, at: usize, in_braces: bool) -> PatternError {
        let before = &self.text[..at];
        let after = self.text[at..].trim_start_matches('*');
        let instead = if in_braces {
            "`*` here, or one rule for each alternative".to_owned()
        } else {
            let across: Vec<&str> = [before, "**", after].into_iter().filter(|part| !part.is_empty()).collect();
            format!("`{before}*{after}` within one name or `{}` across names", across.join("/"))
        };
        self.error(at, Problem::PartOfComponent { instead })
    }
}

/// What a `[…]` stands for.
enum Class {
    One(char),
    Many(String),
}

/// Adds a character to an expression, in a form that means nothing else anywhere in it.
fn push_char(expression: &mut String, c: char) {
    if c.is_ascii_alphanumeric() {
        expression.push(c);
    } else {
        expression.push_str(&format!(r"\x{{{:x}}}", u32::from(c)));
    }
}
