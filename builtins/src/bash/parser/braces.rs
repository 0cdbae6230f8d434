//! Brace expansion: `a{b,c}` and `{1..3}`.
//!
//! bash does it on the text of the word before anything else, and its rules for what is no expansion have many corners, so
//! this follows the same steps. Words with values or quotes that bash itself sees differently in this step are not followed.

use super::super::{FaultKind, Word};
use super::words::Place;
use super::{END, Parsed, Parser};

/// How deep braces may nest, and how many groups may follow each other.
const MAX_NESTING: usize = 32;

/// The expansion makes too much.
struct TooMuch;

type Expanded = Result<Vec<String>, TooMuch>;

impl Parser<'_> {
    /// Expands the word from `start` to here, which is `plain` when nothing in it is an expansion.
    pub(super) fn braces(&mut self, start: usize, tangled: bool, words: &mut Vec<Word>, plain: Word) -> Parsed<()> {
        let raw = self.cursor.slice(start, self.cursor.at());
        let assigns_tilde = raw.contains('=') && raw.contains('~');
        if tangled || assigns_tilde || raw.contains("\\\n") {
            return Err(self.unsupported(start, "a word that has braces beside a substitution"));
        }
        let mut braces = Braces { words: self.budget.brace_words, work: self.budget.brace_work };
        let Ok(expanded) = braces.expand(raw, 0) else {
            return Err(self.cursor.fault(start, FaultKind::TooManyBraces));
        };
        self.budget.brace_words = braces.words.saturating_sub(expanded.len());
        self.budget.brace_work = braces.work;
        if expanded.len() == 1 && expanded.first().is_some_and(|only| only == raw) {
            words.push(plain);
            return Ok(());
        }
        // An expansion to nothing is no word at all.
        for text in expanded.iter().filter(|text| !text.is_empty()) {
            let (word, whole) =
                self.apart(text, start, |inner| Ok((inner.word(Place::Argument)?, inner.cursor.peek() == END)))?;
            if !whole {
                return Err(self.unsupported(start, "such a word with braces"));
            }
            words.push(word);
        }
        Ok(())
    }
}

struct Braces {
    words: usize,
    work: usize,
}

impl Braces {
    fn spend(&mut self, work: usize) -> Result<(), TooMuch> {
        self.work = self.work.checked_sub(work).ok_or(TooMuch)?;
        Ok(())
    }

    fn expand(&mut self, text: &str, depth: usize) -> Expanded {
        if depth > MAX_NESTING {
            return Err(TooMuch);
        }
        let mut open = 0;
        let close = loop {
            match self.find(text, open, b'{')? {
                None => return Ok(vec![text.to_owned()]),
                Some(at) => open = at + 1,
            }
            if let Some(close) = self.find(text, open, b'}')? {
                break close;
            }
        };
        let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
        let (before, inside, behind) = (part(0, open - 1), part(open, close), part(close + 1, text.len()));
        let middle = if has_comma(inside) {
            self.choices(inside, depth)?
        } else if let Some(sequence) = sequence(inside, self.words)? {
            sequence
        } else if behind.is_empty() {
            return Ok(vec![text.to_owned()]);
        } else {
            vec![part(open - 1, close + 1).to_owned()]
        };
        let behind = if behind.is_empty() { vec![String::new()] } else { self.expand(behind, depth + 1)? };
        if middle.len().saturating_mul(behind.len()) > self.words {
            return Err(TooMuch);
        }
        let mut all = Vec::with_capacity(middle.len() * behind.len());
        for first in &middle {
            for last in &behind {
                self.spend(before.len() + first.len() + last.len())?;
                all.push([before, first, last].concat());
            }
        }
        Ok(all)
    }

    /// The alternatives between commas, each expanded itself.
    fn choices(&mut self, inside: &str, depth: usize) -> Expanded {
        let mut all = Vec::new();
        let mut from = 0;
        loop {
            let comma = self.find(inside, from, b',')?;
            all.extend(self.expand(inside.get(from..comma.unwrap_or(inside.len())).unwrap_or_default(), depth + 1)?);
            if all.len() > self.words {
                return Err(TooMuch);
            }
            match comma {
                Some(comma) => from = comma + 1,
                None => return Ok(all),
            }
        }
    }

    /// The next unquoted `wanted` at this level. A closing brace counts only when there was a comma or `..` before it.
    fn find(&mut self, text: &str, from: usize, wanted: u8) -> Result<Option<usize>, TooMuch> {
        let bytes = text.as_bytes();
        let byte = |at: usize| bytes.get(at).copied().unwrap_or(END);
        self.spend(text.len() - from.min(text.len()) + 1)?;
        let (mut at, mut quote, mut level) = (from, END, 0_usize);
        let mut splits = wanted != b'}';
        while at < bytes.len() {
            let here = byte(at);
            if here == b'\\' && quote != b'\'' {
                at += 2;
                continue;
            }
            if here == b'$' && byte(at + 1) == b'{' && quote != b'\'' {
                at += 2;
                level += usize::from(quote == END);
                continue;
            }
            if quote != END {
                if here == quote {
                    quote = END;
                }
            } else if matches!(here, b'"' | b'\'') {
                quote = here;
            } else if here == wanted && level == 0 && splits {
                let alone = here == b'{' && at == 0 && matches!(byte(1), END | b'}');
                if !alone {
                    return Ok(Some(at));
                }
            } else if here == b'{' {
                level += 1;
            } else if here == b'}' && level > 0 {
                level -= 1;
            } else if wanted == b'}' && level == 0 {
                splits |= here == b',' || (here == b'.' && byte(at + 1) == b'.' && byte(at + 2) != b'}');
            }
            at += 1;
        }
        Ok(None)
    }
}

/// A comma that no backslash protects; here quotes and levels do not count.
fn has_comma(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b',' => return true,
            _ => {}
        }
    }
    false
}

/// `1..9`, `a..e` and `1..9..2`; none when it is no sequence.
fn sequence(inside: &str, most: usize) -> Result<Option<Vec<String>>, TooMuch> {
    let Some((first, rest)) = inside.split_once("..") else { return Ok(None) };
    let (last, step) = match rest.split_once("..") {
        Some((last, step)) => match step.parse::<i64>() {
            Ok(step) => (last, step),
            Err(_) => return doubtful(step),
        },
        None => (rest, 1),
    };
    let letter = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(*byte),
        _ => None,
    };
    if let (Some(from), Some(to)) = (letter(first), letter(last)) {
        // Between the cases lie characters that mean something to the shell.
        if from.is_ascii_uppercase() != to.is_ascii_uppercase() {
            return Err(TooMuch);
        }
        let numbers = numbers(from.into(), to.into(), step, most)?;
        return Ok(Some(
            numbers
                .into_iter()
                .filter_map(|code| u8::try_from(code).ok())
                .map(|code| char::from(code).to_string())
                .collect(),
        ));
    }
    let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) else {
        return doubtful(if first.parse::<i64>().is_err() { first } else { last });
    };
    let padded = |text: &str| {
        text.strip_prefix('-').unwrap_or(text).len() > 1 && text.strip_prefix('-').unwrap_or(text).starts_with('0')
    };
    let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
    Ok(Some(numbers(from, to, step, most)?.into_iter().map(|number| format!("{number:0width$}")).collect()))
}

/// A number that is too large to be one is a text to bash, but where it draws the line is not worth knowing.
fn doubtful(text: &str) -> Result<Option<Vec<String>>, TooMuch> {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    if digits > 9 { Err(TooMuch) } else { Ok(None) }
}

fn numbers(from: i64, to: i64, step: i64, most: usize) -> Result<Vec<i64>, TooMuch> {
    const LIMIT: i64 = 1_000_000_000;
    if [from, to, step].iter().any(|number| number.abs() > LIMIT) {
        return Err(TooMuch);
    }
    let step = step.abs().max(1);
    let count = usize::try_from((to - from).abs() / step + 1).map_err(|_| TooMuch)?;
    if count > most {
        return Err(TooMuch);
    }
    let step = if from > to { -step } else { step };
    Ok((0..).take(count).map(|index| from + index * step).collect())
}
