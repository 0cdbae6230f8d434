//! Simple commands, and which command stands at a place.

use super::super::{Assignment, Command, FaultKind, SimpleCommand};
use super::words::Place;
use super::{END, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn command(&mut self) -> Parsed<Command> {
        self.skip_blanks();
        let start = self.cursor.at();
        if self.cursor.peek() == b'(' {
            return self.subshell();
        }
        if matches!(self.cursor.peek(), b'a'..=b'z' | b'{' | b'}' | b'[' | b'!') {
            if let Some(compound) = self.compound()? {
                return Ok(compound);
            }
            if ["then", "elif", "else", "fi", "do", "done", "esac", "in", "}", "!"]
                .iter()
                .any(|word| self.at_word(word))
            {
                return Err(self.unexpected());
            }
            if let Some(what) = self.unsupported_word() {
                return Err(self.unsupported(start, what));
            }
        }
        let command = self.simple(start)?;
        Ok(Command::Simple(command))
    }

    /// Reserved words whose command is not followed; shells without them may not know the word.
    fn unsupported_word(&self) -> Option<&'static str> {
        let words = [("[[", "`[[`"), ("function", "a function"), ("select", "`select`"), ("coproc", "`coproc`")];
        let time = (self.bash() && self.at_word("time")).then_some("`time` inside a pipeline");
        words.iter().find(|(word, _)| self.at_word(word)).map(|(_, what)| *what).or(time)
    }

    fn simple(&mut self, start: usize) -> Parsed<SimpleCommand> {
        let Some(left) = self.budget.commands.checked_sub(1) else { return Err(self.here(FaultKind::TooManyCommands)) };
        self.budget.commands = left;
        let mut command = SimpleCommand::default();
        loop {
            command.span = self.cursor.span(start);
            self.skip_blanks();
            if let Some(redirection) = self.redirection()? {
                command.redirections.push(redirection);
                continue;
            }
            match self.cursor.peek() {
                END | b'\n' | b';' | b'&' | b'|' | b')' => break,
                b'(' if command.words.is_empty() => return Err(self.unexpected()),
                b'(' => return Err(self.unsupported(start, "a function")),
                _ => {}
            }
            if command.words.is_empty()
                && let Some(assignment) = self.assignment()?
            {
                command.assignments.push(assignment);
                continue;
            }
            self.words(&mut command.words)?;
        }
        let nothing = command.words.is_empty() && command.assignments.is_empty() && command.redirections.is_empty();
        // Braces may make no word at all; then there is nothing to run, but there was something written.
        if nothing && self.cursor.at() == start { Err(self.unexpected()) } else { Ok(command) }
    }

    /// `name=value` at this place, if it is one.
    fn assignment(&mut self) -> Parsed<Option<Assignment>> {
        let start = self.cursor.at();
        let mut at = start;
        if !is_name_start(self.cursor.byte(at)) {
            return Ok(None);
        }
        while is_name(self.cursor.byte(at)) {
            at = self.cursor.after(at);
        }
        let append = self.cursor.byte(at) == b'+';
        if append {
            at = self.cursor.after(at);
        }
        match self.cursor.byte(at) {
            b'=' => {}
            b'[' if !append => return Err(self.unsupported(start, "an array")),
            _ => return Ok(None),
        }
        if append && !self.bash() {
            return Err(self.unsupported(start, "`+=`"));
        }
        let name = self.cursor.take(is_name);
        self.cursor.jump(self.cursor.after(at));
        if self.cursor.peek() == b'(' {
            return Err(self.unsupported(start, "an array"));
        }
        let value = self.word(Place::Assignment)?;
        Ok(Some(Assignment { name, value, append }))
    }
}

pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
