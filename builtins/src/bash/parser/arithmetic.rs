//! `$((…))`: only whether it is plain enough, and which variables it has.

use super::super::Unknown;
use super::command::{is_name, is_name_start};
use super::{END, Parsed, Parser};

impl Parser<'_> {
    /// Numbers, operators, parentheses and variables; no subscripts, quotes or substitutions.
    pub(super) fn arithmetic(&mut self, start: usize) -> Parsed<Unknown> {
        self.cursor.bump();
        self.cursor.bump();
        let mut names = Vec::new();
        let mut depth = 0_usize;
        loop {
            let byte = self.cursor.peek();
            match byte {
                b')' if depth == 0 => {
                    self.cursor.bump();
                    if self.cursor.eat(b')') {
                        return Ok(Unknown::Arithmetic(names));
                    }
                    return Err(self.unsupported(start, "a subshell right behind `$(`"));
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'$' if is_name_start(self.cursor.second()) => {}
                b'0'..=b'9' => {
                    // Hexadecimal digits and a base belong to the number.
                    self.cursor.take(|byte| is_name(byte) || byte == b'#');
                    continue;
                }
                _ if is_name_start(byte) => {
                    names.push(self.cursor.take(is_name));
                    continue;
                }
                END => return Err(self.unexpected()),
                _ if b" \t+-*/%<>=!&|^~?:,".contains(&byte) => {}
                _ => return Err(self.unsupported(start, "such arithmetic")),
            }
            self.cursor.bump();
        }
    }
}
