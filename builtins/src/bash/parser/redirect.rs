//! Redirections.

use super::super::{FaultKind, Redirection, RedirectionKind, Span, Word};
use super::heredoc::OPEN;
use super::words::Place;
use super::{Parsed, Parser};

impl Parser<'_> {
    /// A redirection, if one stands here.
    pub(super) fn redirection(&mut self) -> Parsed<Option<Redirection>> {
        let start = self.cursor.at();
        let descriptor = self.descriptor()?;
        let (first, second) = (self.cursor.peek(), self.cursor.second());
        if descriptor.is_none() && self.at_process() {
            return Ok(None);
        }
        let kind = match (first, second) {
            (b'&', b'>') if self.bash() => {
                self.cursor.bump();
                self.cursor.bump();
                if self.cursor.eat(b'>') { RedirectionKind::AppendBoth } else { RedirectionKind::WriteBoth }
            }
            (b'&', b'>') => return Err(self.unsupported(start, "`&>`")),
            (b'<' | b'>', _) => self.operator(start)?,
            _ => return Ok(None),
        };
        // `<<-` is one operator.
        let strip = kind == RedirectionKind::HereDocument && self.cursor.eat(b'-');
        self.skip_blanks();
        if kind == RedirectionKind::HereDocument {
            return self.here_document(start, descriptor, strip).map(Some);
        }
        let place = if kind == RedirectionKind::HereString { Place::Single } else { Place::Target };
        let target = self.some_word(place)?;
        let kind = if kind == RedirectionKind::Duplicate { self.duplicate(start, descriptor, &target)? } else { kind };
        Ok(Some(Redirection { descriptor, kind, target, span: self.cursor.span(start) }))
    }

    /// Digits right before an operator.
    fn descriptor(&mut self) -> Parsed<Option<u32>> {
        let mut at = self.cursor.at();
        if self.cursor.byte(at) == b'{' {
            return self.named_descriptor();
        }
        while self.cursor.byte(at).is_ascii_digit() {
            at = self.cursor.after(at);
        }
        if at == self.cursor.at() || !matches!(self.cursor.byte(at), b'<' | b'>') {
            return Ok(None);
        }
        let start = self.cursor.at();
        let digits = self.cursor.take(|byte| byte.is_ascii_digit());
        // `2<(…)` is a word in some shells.
        if self.cursor.second() == b'(' {
            return Err(self.here(FaultKind::Unexpected));
        }
        // Shells do not agree on more digits.
        if digits.len() > 1 && !self.bash() {
            return Err(self.unsupported(start, "such a descriptor"));
        }
        match digits.parse() {
            Ok(number) if number <= 255 => Ok(Some(number)),
            _ => Err(self.unsupported(start, "such a descriptor")),
        }
    }

    /// `{name}>` lets bash choose a number.
    fn named_descriptor(&self) -> Parsed<Option<u32>> {
        let start = self.cursor.at();
        let mut at = self.cursor.after(start);
        while super::command::is_name(self.cursor.byte(at)) {
            at = self.cursor.after(at);
        }
        if at > start + 1
            && self.cursor.byte(at) == b'}'
            && matches!(self.cursor.byte(self.cursor.after(at)), b'<' | b'>')
        {
            return Err(self.unsupported(start, "a named descriptor"));
        }
        Ok(None)
    }

    /// `<` or `>` with what belongs to it.
    fn operator(&mut self, start: usize) -> Parsed<RedirectionKind> {
        let output = self.cursor.peek() == b'>';
        self.cursor.bump();
        let next = self.cursor.peek();
        let kind = match (output, next) {
            (true, b'>') => RedirectionKind::Append,
            (true, b'|') => RedirectionKind::Clobber,
            (false, b'>') => RedirectionKind::ReadWrite,
            (false, b'<') => {
                self.cursor.bump();
                if self.cursor.peek() != b'<' {
                    return Ok(RedirectionKind::HereDocument);
                }
                if !self.bash() {
                    return Err(self.unsupported(start, "a here-string"));
                }
                RedirectionKind::HereString
            }
            (_, b'&') => RedirectionKind::Duplicate,
            (true, _) => return Ok(RedirectionKind::Write),
            (false, _) => return Ok(RedirectionKind::Read),
        };
        self.cursor.bump();
        Ok(kind)
    }

    /// What `>&` means depends on the word behind it.
    fn duplicate(&self, start: usize, descriptor: Option<u32>, target: &Word) -> Parsed<RedirectionKind> {
        let output = self.cursor.slice(start, self.cursor.at()).contains('>');
        let text = target.literal().unwrap_or_default();
        let number = if self.bash() { text.strip_suffix('-').unwrap_or(text) } else { text };
        if text == "-" || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())) {
            return Ok(RedirectionKind::Duplicate);
        }
        // bash expands such a word twice, so even quotes do not keep it as it is.
        let plain =
            !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_./+,@%-".contains(&byte));
        if output && plain && self.bash() && descriptor.is_none_or(|number| number == 1) {
            return Ok(RedirectionKind::WriteBoth);
        }
        Err(self.unsupported(start, "a redirection to a descriptor that is no number"))
    }

    fn here_document(&mut self, start: usize, descriptor: Option<u32>, strip: bool) -> Parsed<Redirection> {
        let number = self.open_document(start, strip)?;
        let target = Word::new([], Span { start: number, end: OPEN });
        Ok(Redirection { descriptor, kind: RedirectionKind::HereDocument, target, span: self.cursor.span(start) })
    }
}
