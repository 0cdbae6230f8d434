//! Reads sed scripts: which only print, which run commands or write files.
//!
//! Each script is read by itself, also when several `-e` are joined by sed: what the joint would take for text is then
//! taken for commands here, and is refused if it is none.

use std::iter::Peekable;
use std::str::Chars;

/// What a sed script does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// Only edits the stream.
    Prints,
    /// Runs a command, or writes a further file.
    Escapes,
    /// Not understood, or it reads further files.
    Unclear,
}

/// Reads a script.
pub(super) fn read(text: &str) -> Script {
    let by_brackets = read_as(text, true);
    // Some old seds let a delimiter between brackets end the expression.
    if by_brackets == Script::Prints && text.contains('[') && read_as(text, false) == Script::Escapes {
        return Script::Escapes;
    }
    by_brackets
}

fn read_as(text: &str, brackets: bool) -> Script {
    let mut reader = Reader { rest: text.chars().peekable(), brackets, label: false, break_in_argument: false };
    match reader.commands() {
        // Some seds end a label at `;`, others at the end of the line; with a line break inside an argument the two would
        // no longer see the same commands.
        Ok(()) if reader.label && reader.break_in_argument => Script::Unclear,
        Ok(()) => Script::Prints,
        Err(stop) => stop,
    }
}

struct Reader<'s> {
    rest: Peekable<Chars<'s>>,
    /// A delimiter between brackets does not end the expression.
    brackets: bool,
    label: bool,
    break_in_argument: bool,
}

impl Reader<'_> {
    fn commands(&mut self) -> Result<(), Script> {
        loop {
            self.skip(|c| c.is_ascii_whitespace() || c == ';');
            if self.rest.peek().is_none() {
                return Ok(());
            }
            self.addresses()?;
            self.skip(|c| c == ' ' || c == '\t');
            while self.rest.next_if_eq(&'!').is_some() {
                self.skip(|c| c == ' ' || c == '\t');
            }
            self.command()?;
        }
    }

    fn command(&mut self) -> Result<(), Script> {
        match self.rest.next() {
            // Braces need no counting: whether they match is for sed to say.
            Some('{' | '}') => Ok(()),
            Some('#') => {
                self.skip(|c| c != '\n');
                Ok(())
            }
            Some('=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F') => self.end(),
            Some('q' | 'Q' | 'l' | 'L') => {
                self.skip(|c| c == ' ');
                self.skip(|c| c.is_ascii_digit());
                self.end()
            }
            Some(':' | 'b' | 't' | 'T') => {
                self.skip(|c| c == ' ' || c == '\t');
                self.skip(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.');
                if matches!(self.rest.peek(), Some(';' | '}' | ' ')) {
                    self.label = true;
                }
                self.end()
            }
            Some('a' | 'i' | 'c') => {
                self.text();
                Ok(())
            }
            Some('s') => {
                let delimiter = self.delimiter()?;
                self.pattern(delimiter)?;
                self.replacement(delimiter)?;
                self.flags()
            }
            Some('y') => {
                let delimiter = self.delimiter()?;
                self.replacement(delimiter)?;
                self.replacement(delimiter)?;
                self.end()
            }
            Some('e' | 'w' | 'W') => Err(Script::Escapes),
            _ => Err(Script::Unclear),
        }
    }

    fn flags(&mut self) -> Result<(), Script> {
        loop {
            match self.rest.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9') => {
                    self.rest.next();
                }
                Some('e' | 'w') => return Err(Script::Escapes),
                _ => return self.end(),
            }
        }
    }

    /// Up to two addresses.
    fn addresses(&mut self) -> Result<(), Script> {
        if !self.address()? {
            return Ok(());
        }
        self.skip(|c| c == ' ' || c == '\t');
        if self.rest.next_if_eq(&',').is_none() {
            return Ok(());
        }
        self.skip(|c| c == ' ' || c == '\t');
        if self.rest.next_if(|c| matches!(c, '+' | '~')).is_some() {
            return if self.digits() { Ok(()) } else { Err(Script::Unclear) };
        }
        if self.address()? { Ok(()) } else { Err(Script::Unclear) }
    }

    fn address(&mut self) -> Result<bool, Script> {
        match self.rest.peek() {
            Some('0'..='9') => {
                self.digits();
                if self.rest.next_if_eq(&'~').is_some() && !self.digits() {
                    return Err(Script::Unclear);
                }
                Ok(true)
            }
            Some('$') => {
                self.rest.next();
                Ok(true)
            }
            Some('/') => {
                self.rest.next();
                self.pattern('/')?;
                self.skip(|c| matches!(c, 'I' | 'M'));
                Ok(true)
            }
            Some('\\') => {
                self.rest.next();
                let delimiter = self.delimiter()?;
                self.pattern(delimiter)?;
                self.skip(|c| matches!(c, 'I' | 'M'));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn digits(&mut self) -> bool {
        let mut some = false;
        while self.rest.next_if(char::is_ascii_digit).is_some() {
            some = true;
        }
        some
    }

    fn delimiter(&mut self) -> Result<char, Script> {
        match self.rest.next() {
            Some(c) if c.is_ascii() && !c.is_ascii_alphanumeric() && !matches!(c, '\\' | '\n' | ';' | '[' | ' ') => {
                Ok(c)
            }
            _ => Err(Script::Unclear),
        }
    }

    /// A regular expression up to its delimiter.
    fn pattern(&mut self, delimiter: char) -> Result<(), Script> {
        let mut brackets = Brackets::Outside;
        while let Some(c) = self.rest.next() {
            if c == delimiter && (brackets == Brackets::Outside || !self.brackets) {
                return Ok(());
            }
            match c {
                '\n' => return Err(Script::Unclear),
                '\\' => match self.rest.next() {
                    None | Some('\n') => return Err(Script::Unclear),
                    Some(next) => {
                        // Inside brackets a backslash is a character of its own for some.
                        if brackets != Brackets::Outside && (next == delimiter || next == ']') {
                            return Err(Script::Unclear);
                        }
                        brackets = brackets.after('\\');
                    }
                },
                '[' if brackets != Brackets::Outside && matches!(self.rest.peek(), Some(':' | '.' | '=')) => {
                    self.class(delimiter)?;
                    brackets = Brackets::Inside;
                }
                c => brackets = brackets.after(c),
            }
        }
        Err(Script::Unclear)
    }

    /// `[:alpha:]` inside brackets, behind its first character.
    fn class(&mut self, delimiter: char) -> Result<(), Script> {
        let mark = self.rest.next();
        while let Some(c) = self.rest.next() {
            if c == delimiter || c == '\n' || c == '\\' {
                return Err(Script::Unclear);
            }
            if Some(c) == mark && self.rest.next_if_eq(&']').is_some() {
                return Ok(());
            }
        }
        Err(Script::Unclear)
    }

    fn replacement(&mut self, delimiter: char) -> Result<(), Script> {
        while let Some(c) = self.rest.next() {
            if c == delimiter {
                return Ok(());
            }
            match c {
                '\n' => return Err(Script::Unclear),
                '\\' => match self.rest.next() {
                    None => return Err(Script::Unclear),
                    Some('\n') => self.break_in_argument = true,
                    Some(_) => {}
                },
                _ => {}
            }
        }
        Err(Script::Unclear)
    }

    /// The text of `a`, `i` and `c`, up to a line break that is not escaped.
    fn text(&mut self) {
        while let Some(c) = self.rest.next() {
            match c {
                '\n' => return,
                '\\' => self.break_in_argument |= self.rest.next() == Some('\n'),
                _ => {}
            }
        }
    }

    /// What may stand behind a command.
    fn end(&mut self) -> Result<(), Script> {
        self.skip(|c| c == ' ' || c == '\t');
        match self.rest.peek() {
            None | Some(';' | '\n' | '}' | '#') => Ok(()),
            Some(_) => Err(Script::Unclear),
        }
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.rest.next_if(|&c| wanted(c)).is_some() {}
    }
}

/// Where in a bracket expression a character stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Brackets {
    Outside,
    /// Right behind `[`, where `]` and `^` are special.
    Opened,
    /// Right behind `[^`.
    Negated,
    Inside,
}

impl Brackets {
    fn after(self, c: char) -> Self {
        match (self, c) {
            (Self::Outside, '[') => Self::Opened,
            (Self::Outside, _) => Self::Outside,
            (Self::Opened, '^') => Self::Negated,
            (Self::Inside, ']') => Self::Outside,
            _ => Self::Inside,
        }
    }
}
