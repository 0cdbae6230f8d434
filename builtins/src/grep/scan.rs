//! Searching one file of this machine.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use grep_matcher::LineTerminator;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};

use super::content::Content;
use super::query::{GrepOutput, Query};
use crate::search::unreadable::reason;
use crate::search::watch::Watch;

/// The most memory for a line, or for a file when matches may go over several lines, in bytes.
const MAX_MEMORY: usize = 64 * 1024 * 1024;
/// After how many bytes the watch is asked again; asking for each piece of each small file would take longer than reading.
const WATCHED_BYTES: usize = 1024 * 1024;

/// Searches files, one after the other.
pub(super) struct Scanner<'q> {
    query: &'q Query,
    watch: &'q Watch,
    /// Each thread has one of its own, since what a search remembers is shared among those that share a matcher.
    matcher: Cow<'q, RegexMatcher>,
    searcher: Searcher,
    /// Whether the file was named by the call: then it is searched even if it is binary.
    named: bool,
}

/// Why a file was not searched to its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unsearched {
    /// The search is to stop.
    Stopped,
    /// There is no such file any more.
    Gone,
    /// It cannot be read.
    Unreadable(String),
}

impl<'q> Scanner<'q> {
    /// For counting matches.
    pub(super) fn new(query: &'q Query, watch: &'q Watch, named: bool) -> Self {
        Self::build(query, watch, named, SearcherBuilder::new().line_number(false))
    }

    /// The same beside others that search at the same time.
    pub(super) fn of_a_thread(query: &'q Query, watch: &'q Watch) -> Self {
        Self { matcher: Cow::Owned(query.matcher.clone()), ..Self::new(query, watch, false) }
    }

    /// For showing lines.
    pub(super) fn with_lines(query: &'q Query, watch: &'q Watch, named: bool) -> Self {
        let mut builder = SearcherBuilder::new();
        builder.before_context(query.before).after_context(query.after);
        Self::build(query, watch, named, &mut builder)
    }

    fn build(query: &'q Query, watch: &'q Watch, named: bool, builder: &mut SearcherBuilder) -> Self {
        let binary = if named { BinaryDetection::convert(0) } else { BinaryDetection::quit(0) };
        builder
            .line_terminator(LineTerminator::crlf())
            .multi_line(query.multiline)
            .heap_limit(Some(MAX_MEMORY))
            .binary_detection(binary);
        Self { query, watch, matcher: Cow::Borrowed(&query.matcher), searcher: builder.build(), named }
    }

    /// How many matches there are, or how many of the first `most`.
    pub(super) fn count(&mut self, path: &Path, most: u64) -> Result<u64, Unsearched> {
        let mut sink = self.counting(most);
        self.search(path, &mut sink)?;
        Ok(self.counted(&sink))
    }

    /// Shows the lines that match. Gives the place of the NUL at which the file turned out to be binary.
    pub(super) fn show(&mut self, path: &Path, content: &mut Content<'_>) -> Result<Option<u64>, Unsearched> {
        let mut sink = Lines { content, named: self.named, binary: None };
        self.search(path, &mut sink)?;
        Ok(sink.binary)
    }

    /// The same as [`count`](Self::count) for a file that was read already.
    pub(super) fn count_bytes(&mut self, bytes: &[u8], most: u64) -> Result<u64, Unsearched> {
        let mut sink = self.counting(most);
        let searched = self.searcher.search_slice(&*self.matcher, bytes, &mut sink);
        searched.map_err(|error| self.unsearched(&error))?;
        Ok(self.counted(&sink))
    }

    /// The same as [`show`](Self::show) for a file that was read already.
    pub(super) fn show_bytes(&mut self, bytes: &[u8], content: &mut Content<'_>) -> Result<Option<u64>, Unsearched> {
        let mut sink = Lines { content, named: self.named, binary: None };
        let searched = self.searcher.search_slice(&*self.matcher, bytes, &mut sink);
        searched.map_err(|error| self.unsearched(&error))?;
        Ok(sink.binary)
    }

    fn counting(&self, most: u64) -> Count {
        Count { mode: self.query.mode, named: self.named, most, count: 0, binary: None }
    }

    /// What a binary file holds in front of its first NUL says nothing about the file.
    fn counted(&self, sink: &Count) -> u64 {
        let squashed = !self.named && sink.binary.is_some() && self.query.mode != GrepOutput::Content;
        if squashed { 0 } else { sink.count }
    }

    fn search<S: Sink<Error = io::Error>>(&mut self, path: &Path, sink: S) -> Result<(), Unsearched> {
        if self.watch.stops() {
            return Err(Unsearched::Stopped);
        }
        let file = File::open(path).map_err(|error| self.unsearched(&error))?;
        let reader = Watched { file, watch: self.watch, unwatched: 0 };
        self.searcher.search_reader(&*self.matcher, reader, sink).map_err(|error| self.unsearched(&error))
    }

    fn unsearched(&self, error: &io::Error) -> Unsearched {
        match error.kind() {
            // It is how `Watched` says so.
            io::ErrorKind::TimedOut if self.watch.stops() => Unsearched::Stopped,
            io::ErrorKind::NotFound => Unsearched::Gone,
            // The searcher's only error of its own.
            io::ErrorKind::Other if error.get_ref().is_some() => Unsearched::Unreadable(match self.query.multiline {
                true => format!("larger than {} MiB, the most for multiline", MAX_MEMORY / 1024 / 1024),
                false => format!("a line is longer than {} MiB", MAX_MEMORY / 1024 / 1024),
            }),
            _ => Unsearched::Unreadable(reason(error)),
        }
    }
}

/// A file that cannot be read any more when the search is to stop.
struct Watched<'w> {
    file: File,
    watch: &'w Watch,
    /// How many bytes were read since the watch was asked.
    unwatched: usize,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.unwatched > WATCHED_BYTES {
            self.unwatched = 0;
            if self.watch.stops() {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        let read = self.file.read(buffer)?;
        self.unwatched += read;
        Ok(read)
    }
}

struct Count {
    mode: GrepOutput,
    named: bool,
    most: u64,
    count: u64,
    binary: Option<u64>,
}

impl Sink for &mut Count {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, _: &SinkMatch<'_>) -> Result<bool, io::Error> {
        self.count += 1;
        // That a binary file matches is shown once.
        let once = self.named && self.binary.is_some() && self.mode == GrepOutput::Content;
        Ok(self.count < self.most && !once)
    }

    fn binary_data(&mut self, _: &Searcher, offset: u64) -> Result<bool, io::Error> {
        self.binary.get_or_insert(offset);
        Ok(true)
    }
}

struct Lines<'c, 'q> {
    content: &'c mut Content<'q>,
    named: bool,
    binary: Option<u64>,
}

impl Sink for &mut Lines<'_, '_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if let Some(offset) = self.binary.filter(|_| self.named) {
            self.content.binary(offset);
            return Ok(false);
        }
        Ok(self.content.matched(found.line_number().unwrap_or_default(), found.bytes()))
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> Result<bool, io::Error> {
        if self.named && self.binary.is_some() {
            return Ok(true);
        }
        Ok(self.content.context(found.line_number().unwrap_or_default(), found.bytes()))
    }

    fn binary_data(&mut self, _: &Searcher, offset: u64) -> Result<bool, io::Error> {
        self.binary.get_or_insert(offset);
        Ok(true)
    }

    fn finish(&mut self, _: &Searcher, end: &SinkFinish) -> Result<(), io::Error> {
        if let Some(offset) = end.binary_byte_offset() {
            self.binary.get_or_insert(offset);
        }
        Ok(())
    }
}
