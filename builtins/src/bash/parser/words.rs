//! Words: where one ends, and what is known of its value.

use super::super::{Part, Span, Tilde, Unknown, Word};
use super::command::{is_name, is_name_start};
use super::{END, Parsed, Parser, ends_word};

/// Where a word stands, which decides on what the shell does with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// An argument: braces, splitting, file names.
    Argument,
    /// The value of an assignment: neither, but a tilde also behind a colon.
    Assignment,
    /// A word that stays one: a here-string, the word of a `case`.
    Single,
    /// A pattern of a `case`.
    Pattern,
    /// The file of a redirection.
    Target,
}

impl Place {
    fn has_patterns(self) -> bool {
        !matches!(self, Self::Assignment | Self::Single)
    }

    /// Whether a value in this place stays within its word.
    pub(super) fn is_whole(self) -> bool {
        matches!(self, Self::Assignment | Self::Single | Self::Pattern)
    }
}

/// A word while it is read.
#[derive(Debug)]
struct Draft {
    word: Word,
    place: Place,
    /// Behind an unquoted `[` that nothing has closed yet.
    bracket: bool,
    /// There is a pattern that the shell would look for in the file system.
    pattern: bool,
    /// An unquoted `{` that may begin a brace expansion.
    brace: bool,
    /// A value or a quote that brace expansion does not see as this parser does.
    tangled: bool,
    /// The byte before, when it is unquoted.
    before: u8,
    /// Where a tilde may follow `=` and `:`.
    assigns: bool,
    /// The `=` of the assignment was seen.
    assigned: bool,
}

impl Draft {
    fn new(place: Place, span: Span, assigns: bool) -> Self {
        Self {
            word: Word::new([], span),
            place,
            bracket: false,
            pattern: false,
            brace: false,
            tangled: false,
            before: END,
            assigns,
            assigned: place == Place::Assignment,
        }
    }

    /// Text that no quotes protect.
    fn bare(&mut self, text: &str) {
        self.before = text.bytes().last().unwrap_or(END);
        if self.bracket {
            // A bracket never reaches over a slash.
            let inside = text.find('/').map_or(text.len(), |slash| slash + 1);
            let (pattern, rest) = text.split_at(inside);
            self.word.push(Part::Glob(pattern.to_owned()));
            self.word.push(Part::Text(rest.to_owned()));
            self.bracket = !pattern.ends_with('/');
        } else {
            self.word.push_text(text);
        }
    }

    fn quoted(&mut self, text: &str) {
        self.before = END;
        self.word.push_text(text);
    }

    fn glob(&mut self, byte: u8) {
        self.before = byte;
        if !self.place.has_patterns() {
            return self.word.push_text(char::from(byte).encode_utf8(&mut [0; 4]));
        }
        match byte {
            b'[' => self.bracket = true,
            b']' if !self.bracket => return self.word.push_text("]"),
            _ => self.pattern = true,
        }
        self.word.push(Part::Glob(char::from(byte).into()));
    }

    fn unknown(&mut self, what: Unknown, quoted: bool) {
        self.before = END;
        self.word.push(Part::Unknown { what, quoted: quoted || self.place.is_whole() });
    }

    /// A lone `[` is no pattern, so the word is a plain text then.
    fn done(self) -> Word {
        if self.pattern || !self.word.has_glob() {
            return self.word;
        }
        let span = self.word.span();
        let plain = |part: &Part| match part {
            Part::Glob(text) => Part::Text(text.clone()),
            other => other.clone(),
        };
        Word::new(self.word.parts().iter().map(plain), span)
    }
}

impl Parser<'_> {
    /// The next argument, which braces may make several or none.
    pub(super) fn words(&mut self, words: &mut Vec<Word>) -> Parsed<()> {
        let start = self.cursor.at();
        let draft = self.draft(Place::Argument)?;
        if draft.brace {
            let raw = self.cursor.slice(start, self.cursor.at());
            let expands = raw.contains(',') || raw.contains("..");
            if expands && !self.bash() {
                return Err(self.unsupported(start, "a word with braces, which not every `sh` expands,"));
            }
            if expands {
                return self.braces(start, draft.tangled, words, draft.done());
            }
        }
        words.push(draft.done());
        Ok(())
    }

    /// The next word in a place where it has to stay one.
    pub(super) fn word(&mut self, place: Place) -> Parsed<Word> {
        let start = self.cursor.at();
        let draft = self.draft(place)?;
        if draft.brace && place == Place::Target {
            return Err(self.unsupported(start, "a redirection with braces"));
        }
        Ok(draft.done())
    }

    /// Whether `<(` or `>(` stands here, which is a file name to bash.
    pub(super) fn at_process(&self) -> bool {
        self.bash() && matches!(self.cursor.peek(), b'<' | b'>') && self.cursor.second() == b'('
    }

    fn draft(&mut self, place: Place) -> Parsed<Draft> {
        let start = self.cursor.at();
        let assigns = place == Place::Assignment || (place == Place::Argument && self.names_before_equals());
        let mut draft = Draft::new(place, Span::default(), assigns);
        if self.cursor.peek() == b'~' {
            self.tilde(&mut draft)?;
        }
        loop {
            match self.cursor.peek() {
                b'<' | b'>' if self.at_process() => {
                    if self.cursor.at() != start {
                        return Err(self.unsupported(start, "a process substitution inside a word"));
                    }
                    let what = self.process()?;
                    draft.tangled = true;
                    draft.unknown(what, true);
                }
                b'(' if self.cursor.at() != start => {
                    return Err(self.unsupported(start, "a function, array or extended pattern"));
                }
                byte if ends_word(byte) => break,
                b'\'' => {
                    let text = self.single_quoted()?;
                    draft.quoted(text);
                }
                b'"' => {
                    self.cursor.bump();
                    let mut parts = Word::default();
                    self.double_quoted(&mut parts, Some(b'"'))?;
                    draft.tangled |= parts.unknowns().any(|what| !matches!(what, Unknown::Variable(_)));
                    draft.before = END;
                    draft.word.append(parts);
                }
                b'\\' => {
                    let text = self.escaped()?;
                    draft.quoted(text);
                }
                b'$' => self.bare_dollar(&mut draft)?,
                b'`' => {
                    let what = self.backquoted(false)?;
                    draft.tangled = true;
                    draft.unknown(what, false);
                }
                byte @ (b'*' | b'?' | b'[' | b']') => {
                    self.cursor.bump();
                    draft.glob(byte);
                }
                b'{' => {
                    self.cursor.bump();
                    draft.brace |= matches!(place, Place::Argument | Place::Target);
                    draft.bare("{");
                }
                b'=' => {
                    self.cursor.bump();
                    draft.bare("=");
                    if draft.assigns && !draft.assigned {
                        draft.assigned = true;
                    } else {
                        draft.before = END;
                    }
                }
                b'~' if draft.assigns && self.tilde_follows(&draft, start) => self.tilde(&mut draft)?,
                b'~' => {
                    self.cursor.bump();
                    draft.bare("~");
                }
                _ => {
                    let text = self.cursor.run(|byte| !ends_word(byte) && !is_special(byte));
                    draft.bare(text);
                }
            }
        }
        draft.word.set_span(self.cursor.span(start));
        Ok(draft)
    }

    /// Whether an unquoted `name=` or `name+=` begins here.
    fn names_before_equals(&self) -> bool {
        let mut at = self.cursor.at();
        if !is_name_start(self.cursor.byte(at)) {
            return false;
        }
        while is_name(self.cursor.byte(at)) {
            at = self.cursor.after(at);
        }
        if self.cursor.byte(at) == b'+' {
            at = self.cursor.after(at);
        }
        self.cursor.byte(at) == b'='
    }

    fn tilde_follows(&self, draft: &Draft, start: usize) -> bool {
        match draft.before {
            b'=' | b':' => draft.assigned,
            _ => self.cursor.at() == start,
        }
    }

    /// A tilde where the shell looks for one.
    fn tilde(&mut self, draft: &mut Draft) -> Parsed<()> {
        let start = self.cursor.at();
        if draft.assigns && draft.place == Place::Argument && !self.bash() {
            return Err(self.unsupported(start, "a tilde inside an argument"));
        }
        self.cursor.bump();
        let name = self.cursor.take(|byte| is_name(byte) || matches!(byte, b'.' | b'-' | b'+'));
        let next = self.cursor.peek();
        if !ends_word(next) && next != b'/' && !(next == b':' && draft.assigns) {
            if !matches!(next, b'\'' | b'"' | b'\\') {
                // What becomes of it depends on what follows, up to the next slash.
                return Err(self.unsupported(start, "such a word with `~`"));
            }
            draft.bare("~");
            draft.bare(&name);
            return Ok(());
        }
        let remembered = matches!(name.strip_prefix(['+', '-']).unwrap_or(&name), digits if digits.bytes().all(|byte| byte.is_ascii_digit()));
        let tilde = match name.as_str() {
            "" => Tilde::Home,
            _ if remembered => Tilde::Remembered(name),
            _ => Tilde::User(name),
        };
        draft.unknown(Unknown::Tilde(tilde), true);
        Ok(())
    }

    fn bare_dollar(&mut self, draft: &mut Draft) -> Parsed<()> {
        let start = self.cursor.at();
        match self.cursor.second() {
            b'\'' if self.bash() => {
                let text = self.ansi_quoted()?;
                draft.tangled = true;
                draft.quoted(&text);
            }
            b'\'' | b'"' => return Err(self.unsupported(start, "`$` before a quote")),
            _ => match self.dollar(false)? {
                Some(what) => {
                    draft.tangled |=
                        self.cursor.byte(self.cursor.after(start)) == b'{' || !matches!(what, Unknown::Variable(_));
                    draft.unknown(what, false);
                }
                None => draft.bare("$"),
            },
        }
        Ok(())
    }
}

/// Whether an unquoted byte means more than itself inside a word.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`' | b'*' | b'?' | b'[' | b']' | b'{' | b'=' | b'~')
}
