//! Reads an argv against a shape, as the option parsers of these programs would.

use std::borrow::Cow;

use super::table::{Arity, Entry, Flag, Kind, Nature, Shape};
use super::value::{self, Facts};
use super::words::{self, Start};
use super::{Reason, ReasonKind};
use crate::bash::Word;

/// An argument list that does not fit, with how far it did.
pub(super) struct Miss {
    pub at: usize,
    pub reason: Reason,
}

impl Miss {
    /// Whether this reason is the better one to give: it lies further on, or says what is wrong.
    pub(super) fn says_more_than(&self, other: &Self) -> bool {
        self.at > other.at || self.at == other.at && other.is_vague() && !self.is_vague()
    }

    /// Whether the reason is only that the words do not fit.
    pub(super) fn is_vague(&self) -> bool {
        matches!(self.reason.kind, ReasonKind::Operands(_))
    }
}

struct Operand<'a> {
    word: &'a Word,
    at: usize,
    many: bool,
}

struct Scan<'a, 't> {
    program: &'t str,
    entry: &'t Entry,
    shape: &'t Shape,
    args: &'a [Word],
    dashes: bool,
    next: usize,
    operands: Vec<Operand<'a>>,
    seen_required: u8,
    facts: Facts<'a>,
}

/// Reads `args` as the arguments of `entry`. With `dashes`, nothing behind `--` is an option for the program.
pub(super) fn scan<'a>(program: &str, entry: &Entry, args: &'a [Word], dashes: bool) -> Result<Facts<'a>, Miss> {
    let mut scan = Scan {
        program,
        entry,
        shape: &entry.shape,
        args,
        dashes: dashes || entry.shape.dashes,
        next: 0,
        operands: Vec::new(),
        seen_required: 0,
        facts: Facts::default(),
    };
    match scan.run() {
        Ok(()) => Ok(scan.facts),
        Err(reason) => Err(Miss { at: scan.next, reason }),
    }
}

/// Reads the options before a subcommand; gives where the subcommand stands.
pub(super) fn scan_globals<'a>(program: &str, shape: &Shape, args: &'a [Word]) -> Result<(Facts<'a>, usize), Reason> {
    let entry = Entry { nature: Nature::Read, subs: Vec::new(), shape: std::sync::Arc::default() };
    let mut scan = Scan {
        program,
        entry: &entry,
        shape,
        args,
        dashes: false,
        next: 0,
        operands: Vec::new(),
        seen_required: 0,
        facts: Facts::default(),
    };
    while let Some(word) = args.get(scan.next) {
        match words::start(word) {
            Start::Dash if word.literal() != Some("-") && word.literal() != Some("--") => scan.option(word)?,
            _ => break,
        }
    }
    Ok((scan.facts, scan.next))
}

impl<'a> Scan<'a, '_> {
    fn run(&mut self) -> Result<(), Reason> {
        let mut options = true;
        while let Some(word) = self.args.get(self.next) {
            if self.shape.bare {
                self.operand(word, false)?;
                continue;
            }
            if !options {
                self.operand(word, true)?;
                continue;
            }
            if let Some(text) = word.literal()
                && text == "--"
            {
                options = false;
                self.next += 1;
                continue;
            }
            match words::start(word) {
                Start::Dash if word.literal() != Some("-") => self.option(word)?,
                Start::Any if !self.shape.loose => return Err(self.because(word, ReasonKind::MayBeOption(self.name()))),
                start => {
                    // Options without a dash, as in `tar tf a.tar`, count only as the first word.
                    if self.next == 0
                        && let Some(flag) = word.literal().and_then(|text| self.shape.flag(text))
                    {
                        self.exact(word, flag)?;
                        continue;
                    }
                    if start == Start::Any {
                        self.facts.reads.push(Cow::Borrowed(word));
                    }
                    self.operand(word, false)?;
                    if self.shape.ordered {
                        options = false;
                    }
                }
            }
        }
        self.assign()
    }

    fn operand(&mut self, word: &'a Word, after_dashes: bool) -> Result<(), Reason> {
        let changes = matches!(self.entry.nature, Nature::Edit | Nature::Write);
        // Some programs look for options behind `--` as well, or were told to by the environment.
        if after_dashes
            && !self.shape.loose
            && !self.shape.ordered
            && !self.dashes
            && !changes
            && words::start(word) != Start::Plain
            && word.literal() != Some("-")
        {
            return Err(self.because(word, ReasonKind::MayBeOption(self.name())));
        }
        self.operands.push(Operand { word, at: self.next, many: !words::is_one(word) });
        self.next += 1;
        Ok(())
    }

    fn option(&mut self, word: &'a Word) -> Result<(), Reason> {
        let prefix = word.literal_prefix();
        if words::splits(word) && !self.shape.loose {
            return Err(self.because(word, ReasonKind::MayBeOption(self.name())));
        }
        if let Some(flag) = word.literal().and_then(|text| self.shape.flag(text))
            && (flag.exact || !matches!(flag.arity, Arity::Attached(_)))
        {
            return self.exact(word, flag);
        }
        if let Some((name, _)) = prefix.split_once('=') {
            let flag = self.shape.flag(name).filter(|flag| flag.exact || name.starts_with("--"));
            if let Some(flag) = flag {
                let (Arity::Required(kind) | Arity::Attached(kind)) = &flag.arity else {
                    return Err(
                        self.because(word, ReasonKind::OptionValue { program: self.name(), option: name.into() })
                    );
                };
                return self.attached(word, name.len() + 1, kind, flag);
            }
        }
        if prefix.starts_with("--") {
            if let Some(flag) = word.literal().and_then(|text| self.shape.flag(text)) {
                self.next += 1;
                self.seen_required |= flag.required;
                return Ok(());
            }
            return Err(self.unknown_option(word, prefix.split('=').next().unwrap_or(prefix)));
        }
        self.bundle(word, prefix)
    }

    /// An option that is a whole word, with its value in the next one.
    fn exact(&mut self, word: &'a Word, flag: &Flag) -> Result<(), Reason> {
        self.next += 1;
        if let Arity::Required(kind) = &flag.arity {
            return self.separate(word, kind, flag);
        }
        self.seen_required |= flag.required;
        Ok(())
    }

    fn attached(&mut self, word: &'a Word, bytes: usize, kind: &Kind, flag: &Flag) -> Result<(), Reason> {
        if word.has_glob() && !self.shape.loose && !matches!(kind, Kind::Text) {
            return Err(self.because(word, ReasonKind::MayBeSeveral(self.name())));
        }
        let value = words::behind(word, bytes);
        value::accept(kind, self.program, value, &mut self.facts)?;
        self.next += 1;
        self.seen_required |= flag.required;
        Ok(())
    }

    fn separate(&mut self, word: &'a Word, kind: &Kind, flag: &Flag) -> Result<(), Reason> {
        let Some(value) = self.args.get(self.next) else {
            return Err(self.because(word, ReasonKind::OptionValue { program: self.name(), option: flag.name.clone() }));
        };
        if !words::is_one(value) && !self.shape.loose {
            return Err(self.because(value, ReasonKind::MayBeSeveral(self.name())));
        }
        // Where versions of a program differ in whether an option takes a value, the next word could be one itself.
        let looks_like_option = value
            .literal_prefix()
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|c: char| c == '-' || c.is_alphabetic()));
        if looks_like_option && !self.shape.loose {
            return Err(
                self.because(value, ReasonKind::OptionValue { program: self.name(), option: flag.name.clone() })
            );
        }
        value::accept(kind, self.program, Cow::Borrowed(value), &mut self.facts)?;
        self.next += 1;
        if matches!(kind, Kind::Pair) {
            if self.args.get(self.next).is_none_or(|second| !words::is_one(second)) {
                return Err(
                    self.because(word, ReasonKind::OptionValue { program: self.name(), option: flag.name.clone() })
                );
            }
            self.next += 1;
        }
        self.seen_required |= flag.required;
        Ok(())
    }

    fn bundle(&mut self, word: &'a Word, prefix: &str) -> Result<(), Reason> {
        let letters = prefix.get(1..).unwrap_or_default();
        let whole = word.literal().is_some();
        if self.shape.numeric && whole && !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_digit()) {
            self.next += 1;
            return Ok(());
        }
        let mut name = [0_u8; 8];
        for (at, letter) in letters.char_indices() {
            if let Some(first) = name.first_mut() {
                *first = b'-';
            }
            let length = 1 + letter.len_utf8();
            if let Some(room) = name.get_mut(1..) {
                letter.encode_utf8(room);
            }
            let key = name.get(..length).and_then(|key| std::str::from_utf8(key).ok()).unwrap_or_default();
            let Some(flag) = self.shape.flag(key).filter(|flag| !flag.exact) else {
                return Err(self.unknown_option(word, key));
            };
            self.seen_required |= flag.required;
            let behind = 1 + at + letter.len_utf8();
            let more = behind < prefix.len() || !whole;
            match &flag.arity {
                Arity::None => {}
                Arity::Attached(_) if !more => {}
                Arity::Attached(kind) | Arity::Required(kind) if more => {
                    return self.attached(word, behind, kind, flag);
                }
                Arity::Attached(kind) | Arity::Required(kind) => {
                    self.next += 1;
                    return self.separate(word, kind, flag);
                }
            }
        }
        if !whole && !self.shape.loose {
            return Err(self.because(word, ReasonKind::MayBeOption(self.name())));
        }
        self.next += 1;
        Ok(())
    }

    /// Gives each operand its meaning.
    fn assign(&mut self) -> Result<(), Reason> {
        let meaning = &self.shape.operands;
        let count = self.operands.len();
        let (program, entry) = (self.program, self.entry);
        let wrong = move |at: Option<&Operand<'_>>| Reason {
            kind: ReasonKind::Operands(full_name(program, entry)),
            span: at.map(|operand| operand.word.span()),
        };
        let required = self.shape.required();
        if self.seen_required & required != required {
            return Err(wrong(None));
        }
        let least = meaning.first.len() + usize::from(meaning.one_at_least) + usize::from(meaning.last.is_some());
        let is_command = |kind: &Kind| matches!(kind, Kind::Command);
        if count < least {
            return Err(wrong(None));
        }
        let head = meaning.first.len() + meaning.optional.len();
        let tail = if meaning.last.is_some() { count - 1 } else { count };
        for (index, operand) in self.operands.iter().enumerate() {
            let kind = if index >= tail {
                meaning.last.as_ref()
            } else {
                meaning.first.iter().chain(&meaning.optional).nth(index).or(meaning.rest.as_ref())
            };
            let Some(kind) = kind else { return Err(wrong(Some(operand))) };
            if is_command(kind) {
                if let Some(argv) = self.args.get(operand.at..) {
                    self.facts.command = Some(argv);
                }
                return Ok(());
            }
            if operand.many && !self.shape.loose && !self.shape.bare && (index < head || index >= tail) {
                return Err(Reason { kind: ReasonKind::MayBeSeveral(self.name()), span: Some(operand.word.span()) });
            }
            value::accept(kind, self.program, Cow::Borrowed(operand.word), &mut self.facts)?;
        }
        Ok(())
    }

    fn name(&self) -> String {
        full_name(self.program, self.entry)
    }

    fn unknown_option(&self, word: &Word, option: &str) -> Reason {
        self.because(word, ReasonKind::UnknownOption { program: self.name(), option: value::shorten(option) })
    }

    #[allow(clippy::unused_self, reason = "reads as part of the scan at every place")]
    fn because(&self, word: &Word, kind: ReasonKind) -> Reason {
        Reason { kind, span: Some(word.span()) }
    }
}

/// The program with its subcommand.
pub(super) fn full_name(program: &str, entry: &Entry) -> String {
    let mut name = program.to_owned();
    for sub in &entry.subs {
        name.push(' ');
        name.push_str(sub);
    }
    name
}
