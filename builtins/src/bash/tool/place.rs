//! Where the paths of a command lead, seen from where it starts.

use agentscope_tool::backend::{Backend, BackendErrorKind, path};

use super::super::analysis::Touched;
use super::super::{Part, Unknown, Word};

/// More entries than that are not looked at for the patterns of one word.
const MOST_ENTRIES: usize = 10_000;
/// More names than that are not told apart.
const MOST_PATHS: usize = 256;

/// What paths depend on.
pub(super) struct Place<'b> {
    pub(super) backend: &'b dyn Backend,
    /// The directory in which commands start; nothing where that is only known when they do.
    pub(super) cwd: Option<String>,
    pub(super) home: Option<String>,
}

/// A piece of a word that may be a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Char(char),
    /// One character.
    One,
    /// Any number of characters.
    Any,
}

impl Place<'_> {
    /// The absolute form of a path; nothing when it is not known.
    pub(super) fn absolute(&self, relative: &str) -> Option<String> {
        if relative.starts_with('/') {
            return Some(relative.to_owned());
        }
        self.cwd.as_ref().map(|cwd| path::join(cwd, relative))
    }

    /// The absolute paths that a word may stand for, and perhaps more; nothing when they are only known when the command runs.
    pub(super) async fn paths(&self, touched: &Touched) -> Option<Vec<String>> {
        let word = &touched.word;
        if let Some(text) = word.literal() {
            return self.seen_from(touched, text);
        }
        let mut parts = word.parts();
        let mut home = false;
        if let Some(Part::Unknown { what, .. }) = parts.first() {
            home = is_home(what);
            let is_place = home || matches!(what, Unknown::Variable(name) if name == "PWD");
            let rest = parts.get(1..).unwrap_or_default();
            let whole = rest.is_empty() || matches!(rest.first(), Some(Part::Text(text)) if text.starts_with('/'));
            if !is_place || !whole {
                return None;
            }
            parts = rest;
        }
        let mut tokens = tokens(parts)?;
        if parts.len() < word.parts().len() {
            // What is left begins with the slash behind the variable.
            tokens.drain(..usize::from(!tokens.is_empty()));
        }
        let starts = match home {
            true => vec![self.home.clone()?],
            false => self.seen_from(touched, if tokens.first() == Some(&Token::Char('/')) { "/" } else { "" })?,
        };
        let mut all = Vec::new();
        let mut left = MOST_ENTRIES;
        for start in starts {
            // A pattern that fits nothing stays as it is.
            all.push(path::join(&start, &as_text(&tokens)));
            if tokens.iter().any(|token| !matches!(token, Token::Char(_))) {
                all.extend(self.expanded(start, &tokens, &mut left).await?);
            }
        }
        (all.len() <= MOST_PATHS).then_some(all)
    }

    fn seen_from(&self, touched: &Touched, text: &str) -> Option<Vec<String>> {
        touched.dirs.resolve(text)?.iter().map(|path| self.absolute(path)).collect()
    }

    /// What fits a pattern below a directory, as far as that can be listed.
    async fn expanded(&self, start: String, tokens: &[Token], left: &mut usize) -> Option<Vec<String>> {
        let mut found = vec![start];
        for name in tokens.split(|token| *token == Token::Char('/')).filter(|name| !name.is_empty()) {
            let mut deeper = Vec::new();
            for directory in found {
                if name.iter().all(|token| matches!(token, Token::Char(_))) {
                    deeper.push(path::join(&directory, &as_text(name)));
                    continue;
                }
                let entries = match self.backend.list(&directory).await {
                    Ok(entries) => entries,
                    Err(error)
                        if matches!(error.kind(), BackendErrorKind::NotFound | BackendErrorKind::NotADirectory) =>
                    {
                        continue;
                    }
                    Err(_) => return None,
                };
                *left = left.checked_sub(entries.len())?;
                let dots = [".", ".."].into_iter().map(|name| (name, true));
                let names = entries.iter().map(|entry| (entry.name.as_str(), entry.is_utf8()));
                for (entry, is_exact) in names.chain(dots).filter(|(entry, _)| fits(name, entry)) {
                    if !is_exact {
                        return None;
                    }
                    deeper.push(path::join(&directory, entry));
                }
            }
            if deeper.len() > MOST_PATHS {
                return None;
            }
            found = deeper;
        }
        Some(found)
    }
}

fn is_home(what: &Unknown) -> bool {
    let word = Word::new([Part::Unknown { what: what.clone(), quoted: true }], super::super::Span::default());
    word.home_relative().is_some()
}

/// The characters and wildcards of a word that has nothing unknown in it.
fn tokens(parts: &[Part]) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    for part in parts {
        match part {
            Part::Text(text) => tokens.extend(text.chars().map(Token::Char)),
            Part::Glob(text) if text.contains('/') => return None,
            Part::Glob(text) => tokens.extend(text.chars().map(|c| match c {
                '?' => Token::One,
                // A set in brackets is taken for anything: more than it means.
                _ => Token::Any,
            })),
            Part::Unknown { .. } => return None,
        }
    }
    tokens.dedup_by(|a, b| *a == Token::Any && *b == Token::Any);
    Some(tokens)
}

/// The text of a pattern, which is a name where nothing fits it.
fn as_text(tokens: &[Token]) -> String {
    let char = |token: &Token| match token {
        Token::Char(c) => *c,
        Token::One => '?',
        Token::Any => '*',
    };
    tokens.iter().map(char).collect()
}

/// Whether a name may be one that the shell puts in place of a pattern. Hidden ones have to be meant.
fn fits(pattern: &[Token], name: &str) -> bool {
    if name.starts_with('.') && pattern.first() != Some(&Token::Char('.')) {
        return false;
    }
    // For each length of the pattern's start, whether it fits what was read of the name.
    let mut reached = vec![false; pattern.len() + 1];
    reached[0] = true;
    let skip_any = |reached: &mut Vec<bool>| {
        for (at, token) in pattern.iter().enumerate() {
            if *token == Token::Any && reached[at] {
                reached[at + 1] = true;
            }
        }
    };
    skip_any(&mut reached);
    for c in name.chars() {
        let mut next = vec![false; pattern.len() + 1];
        for (at, token) in pattern.iter().enumerate().filter(|(at, _)| reached[*at]) {
            match token {
                Token::Any => next[at] = true,
                Token::One => next[at + 1] = true,
                Token::Char(own) => next[at + 1] |= *own == c,
            }
        }
        skip_any(&mut next);
        reached = next;
    }
    reached.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Vec<Token> {
        let token = |c| match c {
            '*' => Token::Any,
            '?' => Token::One,
            c => Token::Char(c),
        };
        text.chars().map(token).collect()
    }

    #[test]
    fn a_pattern_fits_the_names_that_the_shell_takes_for_it() {
        for (text, name, expected) in [
            ("*", "a", true),
            ("*", ".a", false),
            (".*", ".a", true),
            (".*", "..", true),
            ("*.rs", "main.rs", true),
            ("*.rs", "main.rst", false),
            ("*.rs", ".rs", false),
            ("?", "ä", true),
            ("?", "ab", false),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("", "", true),
        ] {
            assert_eq!(fits(&pattern(text), name), expected, "{text} {name}");
        }
    }
}
