//! What a search has found: first which files match and how often, then the page of it that is shown.

use super::content::Content;
use super::query::{GrepOutput, Query};
use crate::search::name;
use crate::search::page::Shown;
use crate::search::unreadable::Unreadable;
use crate::search::watch::Watch;

/// A file in which something matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    /// Its path, as it is shown but for what has to be escaped.
    pub(super) path: Vec<u8>,
    /// How many matches it has; of those behind the page, only the first counts.
    pub(super) count: u64,
}

/// Which files match, as they come in order.
#[derive(Debug)]
pub(super) struct Survey<'q> {
    query: &'q Query,
    /// How many bytes of results are shown.
    limit: usize,
    /// The files that are on the page, wholly or in part.
    pub(super) hits: Vec<Hit>,
    /// How many results come before the first of them.
    pub(super) before: u64,
    /// How many results there are, the first behind the page included.
    units: u64,
    bytes: usize,
    pub(super) searched: u64,
    pub(super) unreadable: Unreadable,
    too_long: bool,
}

impl<'q> Survey<'q> {
    pub(super) fn new(query: &'q Query, limit: usize) -> Self {
        Self {
            query,
            limit,
            hits: Vec::new(),
            before: 0,
            units: 0,
            bytes: 0,
            searched: 0,
            unreadable: Unreadable::default(),
            too_long: false,
        }
    }

    /// How many matches of one file are of interest.
    pub(super) fn most(query: &Query) -> u64 {
        match query.mode {
            GrepOutput::Content => query.page.end().saturating_add(1),
            GrepOutput::FilesWithMatches => 1,
            GrepOutput::Count => u64::MAX,
        }
    }

    /// Takes the next file that was searched, with its number of matches. False when no more is needed.
    pub(super) fn take(&mut self, path: &[u8], count: u64) -> bool {
        self.searched += 1;
        if count == 0 || self.is_full() {
            return !self.is_full();
        }
        let units = if self.query.mode == GrepOutput::Content { count } else { 1 };
        let (start, page) = (self.units, self.query.page);
        self.units = self.units.saturating_add(units);
        if self.units <= page.offset {
            self.before = self.units;
        } else if start < page.end() {
            // Each result is at least as long as the path in front of it.
            let shown = usize::try_from(units).unwrap_or(usize::MAX);
            let bytes = (path.len() + 1).saturating_mul(shown);
            if self.query.mode != GrepOutput::Content && !self.hits.is_empty() && self.bytes + bytes > self.limit {
                self.too_long = true;
                return false;
            }
            self.bytes = self.bytes.saturating_add(bytes);
            self.hits.push(Hit { path: path.to_owned(), count });
        }
        !self.is_full()
    }

    /// Whether there are results behind those that were taken, as far as is known. Then no more files are needed.
    pub(super) fn is_full(&self) -> bool {
        let lines = self.query.mode == GrepOutput::Content && self.bytes > self.limit;
        self.too_long || self.units > self.query.page.end() || lines
    }

    /// The results, if they are no more than paths and numbers.
    pub(super) fn into_results(self) -> Results {
        let mut lines = Vec::new();
        for hit in &self.hits {
            let path = name::shown(&hit.path);
            lines.push(match self.query.mode {
                GrepOutput::Count => format!("{path}:{}", hit.count),
                _ => path.into_owned(),
            });
        }
        let (shown, more) = (self.hits.len() as u64, self.is_full());
        let total = (!more).then_some(self.units);
        let end = Shown { count: shown, total, more, too_long: self.too_long };
        Results {
            text: lines.join("\n"),
            shown: end,
            searched: Some(self.searched),
            unreadable: self.unreadable,
            notes: Vec::new(),
        }
    }
}

/// What is shown of a search.
#[derive(Debug)]
pub(super) struct Results {
    pub(super) text: String,
    pub(super) shown: Shown,
    /// How many files were searched, if that is known.
    pub(super) searched: Option<u64>,
    pub(super) unreadable: Unreadable,
    /// What else there is to say.
    pub(super) notes: Vec<String>,
}

impl Results {
    /// A page of lines.
    pub(super) fn of_content(content: Content<'_>, searched: Option<u64>, unreadable: Unreadable) -> Self {
        let total = (!content.more && !content.too_long).then_some(content.seen);
        let shown = Shown { count: content.shown, total, more: content.more, too_long: content.too_long };
        Self { text: content.text, shown, searched, unreadable, notes: Vec::new() }
    }

    /// The text, and the notes to be shown below it.
    pub(super) fn show(self, query: &Query, watch: &Watch) -> (String, Vec<String>) {
        let (late, mut shown) = (watch.note(), self.shown);
        if late.is_some() {
            shown.total = None;
        }
        let (unit, units) = query.unit();
        let nothing = shown.count == 0 && !shown.more && (query.page.offset == 0 || shown.total == Some(0));
        let (text, page) = if nothing {
            let searched = match self.searched {
                Some(1) => " (1 file searched)".into(),
                Some(files) => format!(" ({files} files searched)"),
                None => String::new(),
            };
            let base = name::shown(query.base.as_bytes());
            (format!("No matches found for `{}` in `{base}`{searched}.", query.pattern.escape_debug()), None)
        } else {
            (self.text, query.page.note(shown, unit, units))
        };
        let unreadable = self.unreadable.note("file", "files");
        (text, page.into_iter().chain(self.notes).chain(unreadable).chain(late).collect())
    }
}
