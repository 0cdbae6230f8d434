//! A parser for the part of the shell grammar that is analysed.
//!
//! It is total: what it does not know, or what the shell would refuse, is a [`Fault`], never a guess. Words are resolved while
//! they are read, since where a word ends depends on what is in it. It goes over the text once; nesting is bounded.

mod ansi;
mod arithmetic;
mod braces;
mod command;
mod compound;
mod cursor;
mod dollar;
mod heredoc;
mod quotes;
mod redirect;
mod trust;
mod words;

use super::limits::{Budget, MAX_DEPTH, screen};
use super::{Fault, FaultKind, Item, Joint, List, Pipeline, Script, Shell, Span};
use cursor::{Cursor, END};

/// Reads `text` as `shell` would.
///
/// Never fails: what is not understood is the script's [`Fault`]. Takes time in proportion to the text, at most
/// [`MAX_BYTES`](super::MAX_BYTES) of it.
///
/// ```
/// use agentscope_tool_builtins::bash::{Shell, parse};
///
/// let script = parse("ls -la | head; 'r'm \"$x\"", Shell::Bash);
/// let programs: Vec<_> = script.simple_commands().iter().map(|command| command.words[0].literal()).collect();
/// assert_eq!(programs, [Some("ls"), Some("head"), Some("rm")]);
/// assert!(script.fault.is_none());
/// assert!(parse("echo ${x@P}", Shell::Bash).fault.is_some());
/// ```
#[must_use]
pub fn parse(text: &str, shell: Shell) -> Script {
    if let Err(fault) = screen(text) {
        return Script { list: List::default(), fault: Some(fault) };
    }
    let mut parser = Parser::new(text, shell, None, Budget::default());
    let mut list = List::default();
    let mut fault = parser.top(&mut list).err();
    parser.fill(&mut list);
    if fault.is_none() {
        fault = trust::distrust(&list, shell);
    }
    Script { list, fault }
}

type Parsed<T> = Result<T, Fault>;

/// What a list of commands ends with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    End,
    Parenthesis,
    Words(&'static [&'static str]),
    Arm,
}

#[derive(Debug)]
struct Parser<'s> {
    cursor: Cursor<'s>,
    shell: Shell,
    budget: Budget,
    documents: heredoc::Documents,
    /// How many `$(…)` or `<(…)` are around this place.
    substitutions: usize,
}

impl<'s> Parser<'s> {
    fn new(text: &'s str, shell: Shell, place: Option<Span>, budget: Budget) -> Self {
        Self {
            cursor: Cursor::new(text, place),
            shell,
            budget,
            documents: heredoc::Documents::default(),
            substitutions: 0,
        }
    }

    fn bash(&self) -> bool {
        self.shell == Shell::Bash
    }

    /// The whole text; what was read before a fault stays in `list`.
    fn top(&mut self, list: &mut List) -> Parsed<()> {
        self.items(Until::End, list)?;
        self.documents_closed()
    }

    /// Reads a list one level deeper.
    fn list(&mut self, until: Until) -> Parsed<List> {
        let Some(depth) = self.budget.depth.checked_sub(1) else { return Err(self.here(FaultKind::TooDeep)) };
        self.budget.depth = depth;
        let mut list = List::default();
        self.items(until, &mut list)?;
        self.budget.depth += 1;
        Ok(list)
    }

    /// A list that the shell wants to have at least one command.
    fn filled(&mut self, until: Until) -> Parsed<List> {
        let list = self.list(until)?;
        if list.items.is_empty() { Err(self.unexpected()) } else { Ok(list) }
    }

    fn items(&mut self, until: Until, list: &mut List) -> Parsed<()> {
        loop {
            self.skip_lines()?;
            if self.at_end_of(until)? {
                return Ok(());
            }
            let (first, rest) = self.pipelines()?;
            let mut item = Item { first, rest, background: false };
            self.skip_blanks();
            match self.cursor.peek() {
                b';' if !matches!(self.cursor.second(), b';' | b'&') => self.cursor.bump(),
                b'&' => {
                    self.cursor.bump();
                    item.background = true;
                }
                b'\n' => {}
                _ => {
                    list.items.push(item);
                    if self.at_end_of(until)? {
                        return Ok(());
                    }
                    return Err(self.unexpected());
                }
            }
            list.items.push(item);
        }
    }

    /// Whether the list ends here; what ends it stays to be read.
    fn at_end_of(&mut self, until: Until) -> Parsed<bool> {
        Ok(match (self.cursor.peek(), until) {
            (END, Until::End) | (b')', Until::Parenthesis) => true,
            (END, _) => return Err(self.here(FaultKind::Unclosed)),
            (b';', Until::Arm) => matches!(self.cursor.second(), b';' | b'&'),
            (_, Until::Arm) => self.at_word("esac"),
            (_, Until::Words(words)) => words.iter().any(|word| self.at_word(word)),
            _ => false,
        })
    }

    fn pipelines(&mut self) -> Parsed<(Pipeline, Vec<(Joint, Pipeline)>)> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let joint = match (self.cursor.peek(), self.cursor.second()) {
                (b'&', b'&') => Joint::And,
                (b'|', b'|') => Joint::Or,
                _ => return Ok((first, rest)),
            };
            self.cursor.bump();
            self.cursor.bump();
            self.skip_lines()?;
            rest.push((joint, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Parsed<Pipeline> {
        let mut pipeline = Pipeline::default();
        loop {
            self.skip_blanks();
            if self.at_word("!") {
                // The extended patterns of some shells begin the same way.
                if self.cursor.second() == b'(' || (!self.bash() && pipeline.negated) {
                    return Err(self.unexpected());
                }
                self.cursor.bump();
                pipeline.negated = !pipeline.negated;
            } else if self.bash() && self.eat_word("time") {
                if self.substitutions > 0 {
                    // bash does not know the reserved words behind it there.
                    return Err(self.unsupported(self.cursor.at(), "`time` inside a substitution"));
                }
                pipeline.timed = true;
                self.skip_blanks();
                if self.cursor.peek() == b'-' && !self.eat_word("-p") {
                    return Err(self.unexpected());
                }
            } else {
                break;
            }
        }
        loop {
            pipeline.commands.push(self.command()?);
            self.skip_blanks();
            match (self.cursor.peek(), self.cursor.second()) {
                (b'|', b'|') => return Ok(pipeline),
                (b'|', b'&') if self.bash() => {
                    self.cursor.bump();
                    self.cursor.bump();
                }
                (b'|', _) => self.cursor.bump(),
                _ => return Ok(pipeline),
            }
            self.skip_lines()?;
        }
    }

    /// Blanks and a comment.
    fn skip_blanks(&mut self) {
        while matches!(self.cursor.peek(), b' ' | b'\t') {
            self.cursor.bump();
        }
        if self.cursor.peek() == b'#' {
            // A backslash at the end of a comment joins nothing.
            let raw = self.cursor.raw();
            let length = raw.find('\n').unwrap_or(raw.len());
            self.cursor.stand(self.cursor.at() + length);
        }
    }

    /// Blanks, comments and newlines, with the here-documents that begin behind a newline.
    fn skip_lines(&mut self) -> Parsed<()> {
        self.skip_blanks();
        while self.cursor.peek() == b'\n' {
            self.cursor.stand(self.cursor.at() + 1);
            self.read_documents()?;
            self.skip_blanks();
        }
        Ok(())
    }

    /// Whether the unquoted `word` stands here alone.
    fn at_word(&self, word: &str) -> bool {
        self.behind_word(word).is_some()
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let behind = self.behind_word(word);
        if let Some(behind) = behind {
            self.cursor.jump(behind);
        }
        behind.is_some()
    }

    fn behind_word(&self, word: &str) -> Option<usize> {
        let mut at = self.cursor.at();
        for byte in word.bytes() {
            if self.cursor.byte(at) != byte {
                return None;
            }
            at = self.cursor.after(at);
        }
        ends_word(self.cursor.byte(at)).then_some(at)
    }

    /// Reads `word`, newlines before it allowed.
    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        self.skip_lines()?;
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected()) }
    }

    fn here(&self, kind: FaultKind) -> Fault {
        self.cursor.fault(self.cursor.at(), kind)
    }

    fn unexpected(&self) -> Fault {
        let open = self.cursor.peek() == END && self.budget.depth < MAX_DEPTH;
        self.here(if open { FaultKind::Unclosed } else { FaultKind::Unexpected })
    }

    fn unsupported(&self, start: usize, what: &'static str) -> Fault {
        self.cursor.fault(start, FaultKind::Unsupported(what))
    }
}

/// Whether an unquoted byte ends a word.
fn ends_word(byte: u8) -> bool {
    matches!(byte, END | b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

#[cfg(test)]
mod tests;
