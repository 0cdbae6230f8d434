//! One page of results, and what is said at its end.

use std::fmt::Display;

/// How many results are shown when a call does not say.
const DEFAULT_LIMIT: u64 = 250;

/// Which of the results are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page {
    /// How many results at most; `None` for all.
    pub(crate) limit: Option<u64>,
    /// How many results are skipped.
    pub(crate) offset: u64,
}

impl Page {
    /// The page of a call: without a limit it holds 250 results, and with a limit of 0 all.
    pub(crate) fn new(head_limit: Option<u64>, offset: u64) -> Self {
        let limit = Some(head_limit.unwrap_or(DEFAULT_LIMIT)).filter(|limit| *limit > 0);
        Self { limit, offset }
    }

    /// The number of the first result behind the page.
    pub(crate) fn end(&self) -> u64 {
        self.limit.map_or(u64::MAX, |limit| self.offset.saturating_add(limit))
    }

    /// The start of a note about this page: its limit, if that was reached, and its offset.
    fn place(&self, cut: bool) -> Option<String> {
        let limit = self.limit.filter(|_| cut).map(|limit| format!("limit: {limit}"));
        let offset = (self.offset > 0).then(|| format!("offset: {}", self.offset));
        let parts: Vec<_> = limit.into_iter().chain(offset).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// What has to be said about a page of results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown {
    /// How many results were shown.
    pub(crate) count: u64,
    /// How many results there are in all, if that is known.
    pub(crate) total: Option<u64>,
    /// Whether more follow.
    pub(crate) more: bool,
    /// Whether the page ends early because its text would be too long.
    pub(crate) too_long: bool,
}

impl Page {
    /// The note at the end of a page that does not hold all results; `what` is one of them, `plural` are several.
    pub(crate) fn note(&self, shown: Shown, what: &str, plural: &str) -> Option<String> {
        let total = |count: u64| format!("{count} {}", if count == 1 { what } else { plural });
        if shown.count == 0 && self.offset > 0 && !shown.more {
            let all = shown.total.map_or_else(String::new, |count| format!("; {} in all", total(count)));
            return Some(format!("no results from offset: {} on{all}", self.offset));
        }
        let next = self.offset + shown.count;
        let mut note = self.place(shown.more && !shown.too_long);
        let mut add = |text: &dyn Display| match &mut note {
            Some(note) => note.push_str(&format!("; {text}")),
            None => note = Some(text.to_string()),
        };
        if shown.too_long {
            add(&"the rest would be too long to show at once");
        }
        match (shown.more, shown.total) {
            (true, Some(count)) => add(&format!("{} in all, go on with offset: {next}", total(count))),
            (true, None) => add(&format!("more {plural} follow, go on with offset: {next}")),
            (false, Some(count)) if self.offset > 0 => add(&format!("{} in all, these are the last", total(count))),
            (false, None) if self.offset > 0 => add(&"these are the last"),
            (false, _) => {}
        }
        note
    }
}

/// The text of a result: what was found, and the notes in brackets below.
pub(crate) fn with_notes(mut text: String, notes: impl IntoIterator<Item = String>) -> String {
    let mut first = true;
    for note in notes {
        text.push_str(match (first, text.is_empty()) {
            (_, true) => "",
            (true, false) => "\n\n",
            (false, false) => "\n",
        });
        text.push_str(&format!("[{note}]"));
        first = false;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_what_it_leaves_out() {
        let note = |page: Page, count, total, more, too_long| {
            page.note(Shown { count, total, more, too_long }, "file", "files").unwrap_or_default()
        };
        let (first, second) = (Page::new(Some(2), 0), Page::new(Some(2), 2));
        insta::assert_snapshot!([
            note(Page::new(None, 0), 3, Some(3), false, false),
            note(first, 2, Some(5), true, false),
            note(second, 2, Some(5), true, false),
            note(second, 1, Some(3), false, false),
            note(second, 2, None, true, false),
            note(second, 1, None, false, false),
            note(second, 0, Some(1), false, false),
            note(first, 1, Some(9), true, true),
            note(second, 1, None, true, true),
        ].join("\n"), @r"

        limit: 2; 5 files in all, go on with offset: 2
        limit: 2, offset: 2; 5 files in all, go on with offset: 4
        offset: 2; 3 files in all, these are the last
        limit: 2, offset: 2; more files follow, go on with offset: 4
        offset: 2; these are the last
        no results from offset: 2 on; 1 file in all
        the rest would be too long to show at once; 9 files in all, go on with offset: 1
        offset: 2; the rest would be too long to show at once; more files follow, go on with offset: 3
        ");
    }

    #[test]
    fn a_limit_of_zero_is_none() {
        assert_eq!(Page::new(Some(0), 7), Page { limit: None, offset: 7 });
        assert_eq!(Page::new(None, 0).limit, Some(250));
        assert_eq!(Page::new(Some(u64::MAX), 9).end(), u64::MAX);
    }
}
