//! Here-documents: their text begins behind the line in which they are opened.

use super::super::{Command, Compound, FaultKind, List, Part, Redirection, RedirectionKind, Span, Unknown, Word};
use super::{Parsed, Parser, ends_word};

/// The end of a target's span while its text is still to come; the start is the document's number then.
pub(super) const OPEN: usize = usize::MAX;

/// The here-documents of a text.
#[derive(Debug, Default)]
pub(super) struct Documents {
    open: Vec<Open>,
    /// The texts by number.
    texts: Vec<Word>,
}

/// A here-document whose text is still to come.
#[derive(Debug)]
pub(super) struct Open {
    number: usize,
    start: usize,
    delimiter: String,
    /// Nothing in the text means anything.
    quoted: bool,
    /// `<<-`: tabs at the beginning of lines are left out.
    strip: bool,
}

impl Documents {
    /// How many were opened so far.
    pub(super) fn count(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn set_aside(&mut self) -> Vec<Open> {
        std::mem::take(&mut self.open)
    }

    pub(super) fn take_back(&mut self, open: Vec<Open>) {
        self.open = open;
    }
}

impl Parser<'_> {
    /// Reads the delimiter behind `<<`, and gives the number of the document.
    pub(super) fn open_document(&mut self, start: usize, strip: bool) -> Parsed<usize> {
        let mut quoted = false;
        let mut delimiter = Word::default();
        loop {
            match self.cursor.peek() {
                byte if ends_word(byte) => break,
                b'\'' => {
                    quoted = true;
                    let text = self.single_quoted()?;
                    delimiter.push_text(text);
                }
                b'"' => {
                    quoted = true;
                    self.cursor.bump();
                    self.double_quoted(&mut delimiter, Some(b'"'))?;
                }
                b'\\' => {
                    quoted = true;
                    let text = self.escaped()?;
                    delimiter.push_text(text);
                }
                b'$' | b'`' => return Err(self.unsupported(start, "a here-document with such a delimiter")),
                _ => {
                    let text =
                        self.cursor.run(|byte| !ends_word(byte) && !matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`'));
                    delimiter.push_text(text);
                }
            }
        }
        let delimiter = match delimiter.literal() {
            Some(text) if !text.is_empty() && !text.contains('\n') => text.to_owned(),
            _ => return Err(self.unsupported(start, "a here-document with such a delimiter")),
        };
        let number = self.documents.texts.len();
        self.documents.texts.push(Word::default());
        self.documents.open.push(Open { number, start, delimiter, quoted, strip });
        Ok(number)
    }

    /// The texts of the documents that the line before has opened.
    pub(super) fn read_documents(&mut self) -> Parsed<()> {
        for open in self.documents.set_aside() {
            let word = self.document(&open)?;
            if let Some(text) = self.documents.texts.get_mut(open.number) {
                *text = word;
            }
        }
        self.cursor.jump(self.cursor.at());
        Ok(())
    }

    fn document(&mut self, open: &Open) -> Parsed<Word> {
        let start = self.cursor.at();
        let (mut end, mut next) = (start, None);
        for line in self.cursor.raw().split_inclusive('\n') {
            let text = line.strip_suffix('\n').unwrap_or(line);
            let text = if open.strip { text.trim_start_matches('\t') } else { text };
            if text == open.delimiter {
                next = Some(end + line.len());
                break;
            }
            end += line.len();
        }
        let Some(next) = next else { return Err(self.cursor.fault(open.start, FaultKind::UnclosedHereDocument)) };
        let raw = self.cursor.slice(start, end);
        if !open.quoted && raw.contains("\\\n") {
            return Err(self.unsupported(open.start, "a line joined inside a here-document"));
        }
        let stripped =
            open.strip.then(|| raw.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect::<String>());
        let mut word = Word::default();
        self.cursor.stand(end);
        match stripped {
            text if open.quoted => word.push_text(text.as_deref().unwrap_or(raw)),
            Some(text) => {
                word = self.apart(&text, start, |inner| {
                    let mut word = Word::default();
                    inner.double_quoted(&mut word, None)?;
                    inner.fill_word(&mut word);
                    Ok(word)
                })?;
            }
            None => {
                let body = self.cursor.within(start, end);
                let whole = std::mem::replace(&mut self.cursor, body);
                self.double_quoted(&mut word, None)?;
                self.cursor = whole;
            }
        }
        word.set_span(self.cursor.span(start));
        self.cursor.stand(next);
        Ok(word)
    }

    pub(super) fn documents_closed(&self) -> Parsed<()> {
        match self.documents.open.first() {
            Some(open) => Err(self.cursor.fault(open.start, FaultKind::UnclosedHereDocument)),
            None => Ok(()),
        }
    }

    /// Puts the texts where the documents were opened.
    pub(super) fn fill(&mut self, list: &mut List) {
        if self.documents.texts.is_empty() {
            return;
        }
        for pipeline in list
            .items
            .iter_mut()
            .flat_map(|item| std::iter::once(&mut item.first).chain(item.rest.iter_mut().map(|(_, next)| next)))
        {
            for command in &mut pipeline.commands {
                match command {
                    Command::Simple(simple) => {
                        simple.assignments.iter_mut().for_each(|assignment| self.fill_word(&mut assignment.value));
                        simple.words.iter_mut().for_each(|word| self.fill_word(word));
                        self.fill_redirections(&mut simple.redirections);
                    }
                    Command::Compound { kind, redirections, .. } => {
                        self.fill_compound(kind);
                        self.fill_redirections(redirections);
                    }
                }
            }
        }
    }

    fn fill_compound(&mut self, kind: &mut Compound) {
        match kind {
            Compound::Group(list) | Compound::Subshell(list) => self.fill(list),
            Compound::If { branches, otherwise } => {
                for (condition, body) in branches {
                    self.fill(condition);
                    self.fill(body);
                }
                otherwise.iter_mut().for_each(|list| self.fill(list));
            }
            Compound::While { condition, body, .. } => {
                self.fill(condition);
                self.fill(body);
            }
            Compound::For { words, body, .. } => {
                words.iter_mut().flatten().for_each(|word| self.fill_word(word));
                self.fill(body);
            }
            Compound::Case { word, arms } => {
                self.fill_word(word);
                for arm in arms {
                    arm.patterns.iter_mut().for_each(|pattern| self.fill_word(pattern));
                    self.fill(&mut arm.body);
                }
            }
        }
    }

    fn fill_redirections(&mut self, redirections: &mut [Redirection]) {
        for redirection in redirections {
            if redirection.kind == RedirectionKind::HereDocument {
                let Span { start: number, end } = redirection.target.span();
                if end == OPEN
                    && let Some(text) = self.documents.texts.get_mut(number)
                {
                    redirection.target = std::mem::take(text);
                }
            }
            self.fill_word(&mut redirection.target);
        }
    }

    pub(super) fn fill_word(&mut self, word: &mut Word) {
        for part in word.parts_mut() {
            if let Part::Unknown { what, .. } = part
                && let Unknown::Substitution(list) | Unknown::ProcessInput(list) | Unknown::ProcessOutput(list) = what
            {
                self.fill(list);
            }
        }
    }
}
