//! What a dollar sign begins: parameters, substitutions, arithmetic.

use super::super::{Command, FaultKind, Item, List, Pipeline, Unknown};
use super::command::{is_name, is_name_start};
use super::{END, Parsed, Parser, Until};

impl Parser<'_> {
    /// The value that begins with the dollar sign here; none when it is a plain character, which is read then.
    pub(super) fn dollar(&mut self, quoted: bool) -> Parsed<Option<Unknown>> {
        let start = self.cursor.at();
        self.cursor.bump();
        Ok(Some(match self.cursor.peek() {
            byte if is_name_start(byte) => Unknown::Variable(self.cursor.take(is_name)),
            b'@' | b'*' => {
                self.cursor.bump();
                Unknown::Parameters
            }
            byte @ (b'0'..=b'9' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.cursor.bump();
                Unknown::Variable(char::from(byte).into())
            }
            b'{' => self.braced(start)?,
            b'(' if self.cursor.second() == b'(' => self.arithmetic(start)?,
            b'(' => {
                self.cursor.bump();
                Unknown::Substitution(self.inner_list(start)?)
            }
            b'[' => return Err(self.unsupported(start, "`$[`")),
            b'\'' | b'"' if !quoted => return Err(self.unsupported(start, "`$` before a quote")),
            _ => return Ok(None),
        }))
    }

    /// `<(…)` or `>(…)`.
    pub(super) fn process(&mut self) -> Parsed<Unknown> {
        let start = self.cursor.at();
        let input = self.cursor.peek() == b'<';
        self.cursor.bump();
        self.cursor.bump();
        let list = self.inner_list(start)?;
        if list.items.is_empty() {
            // bash passes nothing at all then.
            return Err(self.unsupported(start, "an empty process substitution"));
        }
        Ok(if input { Unknown::ProcessInput(list) } else { Unknown::ProcessOutput(list) })
    }

    /// The commands of a substitution, up to its parenthesis.
    fn inner_list(&mut self, start: usize) -> Parsed<List> {
        let outer = self.documents.set_aside();
        let before = self.documents.count();
        self.substitutions += 1;
        let list = self.list(Until::Parenthesis)?;
        self.substitutions -= 1;
        self.documents_closed()?;
        // bash writes a substitution anew before it reads it a second time, and does not always get here-documents right.
        if self.documents.count() > before && !is_one_simple(&list) {
            return Err(self.unsupported(start, "a here-document beside other commands inside a substitution"));
        }
        // Whose text would come first is told differently by different shells.
        if !outer.is_empty() && self.cursor.slice(start, self.cursor.at()).contains('\n') {
            return Err(self.unsupported(start, "a here-document before a substitution of several lines"));
        }
        self.documents.take_back(outer);
        self.cursor.bump();
        Ok(list)
    }

    /// `${…}`
    fn braced(&mut self, start: usize) -> Parsed<Unknown> {
        self.cursor.bump();
        let unsupported = |parser: &Self| Err(parser.unsupported(start, "such a `${…}`"));
        let length = self.cursor.peek() == b'#' && self.cursor.second() != b'}';
        if length {
            self.cursor.bump();
        }
        let first = self.cursor.peek();
        let name = if is_name_start(first) {
            self.cursor.take(is_name)
        } else if first.is_ascii_digit() {
            self.cursor.take(|byte| byte.is_ascii_digit())
        } else if matches!(first, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') {
            self.cursor.bump();
            char::from(first).into()
        } else {
            return unsupported(self);
        };
        let special = !is_name(first);
        if self.cursor.eat(b'}') {
            return Ok(match name.as_str() {
                _ if length && special => return unsupported(self),
                "@" | "*" => Unknown::Parameters,
                _ if length => Unknown::Modified(name),
                _ => Unknown::Variable(name),
            });
        }
        if length || special || !self.modifier()? {
            return unsupported(self);
        }
        // Neither quotes nor further values: what they mean here differs from shell to shell.
        while self.cursor.peek() != b'}' {
            let byte = self.cursor.peek();
            let plain = byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_./,+@%^*?=:~- ".contains(&byte);
            match byte {
                END => return Err(self.cursor.fault(start, FaultKind::Unclosed)),
                _ if plain => self.cursor.bump(),
                b'$' if is_name_start(self.cursor.second()) => self.cursor.bump(),
                _ => return unsupported(self),
            }
        }
        self.cursor.bump();
        Ok(Unknown::Modified(name))
    }

    /// The operator behind the name; false when it is none of those that only read.
    fn modifier(&mut self) -> Parsed<bool> {
        let (first, second) = (self.cursor.peek(), self.cursor.second());
        self.cursor.bump();
        Ok(match (first, second) {
            (b'-' | b'+' | b'?', _) => true,
            (b':', b'-' | b'+' | b'?') => {
                self.cursor.bump();
                true
            }
            (b'#' | b'%', _) => {
                if second == first {
                    self.cursor.bump();
                }
                true
            }
            (b'/' | b'^' | b',', _) => self.bash(),
            // An offset is an expression: only numbers, whose values nobody evaluates again.
            (b':', _) if self.bash() => {
                let mut at = self.cursor.at();
                while matches!(self.cursor.byte(at), b'0'..=b'9' | b' ' | b':' | b'-') {
                    at = self.cursor.after(at);
                }
                self.cursor.byte(at) == b'}'
            }
            _ => false,
        })
    }
}

fn is_one_simple(list: &List) -> bool {
    let [Item { first: Pipeline { commands, negated: false, timed: false }, rest, background: false }] =
        list.items.as_slice()
    else {
        return false;
    };
    rest.is_empty() && matches!(commands.as_slice(), [Command::Simple(_)])
}
