//! Searching the files of this machine, in process.
//!
//! One thread walks over the directories in order, and others search the files as they are found; when it is through, it
//! helps them. What they find is put back into order before it counts, so that the search ends as soon as the page is
//! full.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use ignore::Walk;

use super::content::Content;
use super::query::{GrepOutput, Query};
use super::scan::{Scanner, Unsearched};
use super::survey::{Results, Survey};
use crate::search::virtual_fs::is_virtual;
use crate::search::watch::Watch;
use crate::search::{Limits, name, place, walk};

/// How many batches of files may wait to be searched.
const MAX_WAITING: usize = 256;
/// How many batches the search may run ahead of a file that takes long.
const MAX_AHEAD: u64 = 2048;
/// How many files a thread takes at once.
const BATCH: usize = 32;

/// Searches the file or the directory at `base`.
pub(super) fn search(query: &Arc<Query>, base: &Path, single: bool, limits: Limits, watch: &Watch) -> Results {
    let survey = if single {
        // How long its lines are without a path, the survey cannot know.
        let mut survey = Survey::new(query, usize::MAX);
        let mut scanner = Scanner::new(query, watch, true);
        let outcome = Outcome::of(scanner.count(base, Survey::most(query)));
        outcome.give(|| query.base.as_bytes().to_vec(), &mut survey);
        survey
    } else {
        let files = Files { walk: walk(query, base, limits.gitignore), base: base.to_owned(), query };
        survey_tree(query, files, limits, watch)
    };
    match query.mode {
        GrepOutput::Content => show(query, base, single, survey, limits, watch),
        GrepOutput::FilesWithMatches | GrepOutput::Count => survey.into_results(),
    }
}

/// Shows the lines of the files that are on the page.
fn show(query: &Query, base: &Path, single: bool, mut survey: Survey<'_>, limits: Limits, watch: &Watch) -> Results {
    watch.begin_grace();
    let mut content = Content::new(query, limits.output, survey.before);
    let mut scanner = Scanner::with_lines(query, watch, single);
    let mut notes = Vec::new();
    for hit in std::mem::take(&mut survey.hits) {
        if content.is_full() {
            content.more = true;
            break;
        }
        // With its numbers, a line says which file it is of in the same way as one of many.
        content.file((!single || query.numbers).then_some(&hit.path));
        let below = hit.path.strip_prefix(query.base.as_bytes()).unwrap_or_default();
        let below = below.strip_prefix(b"/").unwrap_or(below);
        let path = if single { base.to_owned() } else { base.join(path_of(below)) };
        match scanner.show(&path, &mut content) {
            Ok(Some(offset)) if !single => {
                notes.push(binary_note(&hit.path, offset));
            }
            Ok(_) | Err(Unsearched::Gone) => {}
            Err(Unsearched::Unreadable(reason)) => survey.unreadable.push(&hit.path, reason),
            Err(Unsearched::Stopped) => break,
        }
    }
    content.more |= survey.is_full();
    let mut results = Results::of_content(content, Some(survey.searched), survey.unreadable);
    notes.truncate(3);
    results.notes = notes;
    results
}

/// What to say of a file that turned out to be binary only behind a match.
pub(super) fn binary_note(path: &[u8], offset: u64) -> String {
    format!("`{}` is binary (a NUL byte is at offset {offset}) and was searched only in part", name::shown(path))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

fn walk(query: &Arc<Query>, base: &Path, gitignore: bool) -> Walk {
    let (query, root) = (Arc::clone(query), base.to_owned());
    let enters = move |entry: &ignore::DirEntry| {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let enters = || {
            let is_virtual = entry.depth() == 1 && is_virtual(entry.path().as_os_str().as_encoded_bytes());
            !is_virtual && query.filter.enters(walk::below(&root, entry.path()))
        };
        entry.depth() == 0 || !is_dir || enters()
    };
    let mut builder = walk::builder(base, gitignore);
    // Names of one directory are compared by their whole paths, whose starts are equal: taking the names off costs more.
    let by_bytes =
        |one: &Path, other: &Path| one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes());
    builder.filter_entry(enters).sort_by_file_path(by_bytes).build()
}

/// The files to be searched, in order.
struct Files<'q> {
    walk: Walk,
    base: PathBuf,
    query: &'q Query,
}

/// A file to be searched, or a directory that cannot be.
enum Step {
    File(PathBuf),
    Unreadable(ignore::Error),
}

impl Iterator for Files<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            let entry = match self.walk.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Step::Unreadable(error)),
            };
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if is_file && self.query.filter.takes(walk::below(&self.base, entry.path())) {
                return Some(Step::File(entry.into_path()));
            }
        }
    }
}

/// What came of one file.
enum Outcome {
    Count(u64),
    Unreadable(String),
    Stopped,
}

impl Outcome {
    fn of(counted: Result<u64, Unsearched>) -> Self {
        match counted {
            Ok(count) => Self::Count(count),
            Err(Unsearched::Gone) => Self::Count(0),
            Err(Unsearched::Unreadable(reason)) => Self::Unreadable(reason),
            Err(Unsearched::Stopped) => Self::Stopped,
        }
    }

    /// False when no more is needed. What the path is has to be known only where something was found.
    fn give(self, path: impl FnOnce() -> Vec<u8>, survey: &mut Survey<'_>) -> bool {
        match self {
            Self::Count(0) => survey.take(&[], 0),
            Self::Count(count) => survey.take(&path(), count),
            Self::Unreadable(reason) => {
                survey.unreadable.push(&path(), reason);
                survey.take(&[], 0)
            }
            Self::Stopped => false,
        }
    }
}

/// A small tree is searched on this thread, a large one on several.
fn survey_tree<'q>(query: &'q Query, mut files: Files<'q>, limits: Limits, watch: &Watch) -> Survey<'q> {
    let mut survey = Survey::new(query, limits.output);
    let base = files.base.clone();
    let mut first = Vec::new();
    for step in files.by_ref() {
        match step {
            Step::File(path) => first.push(path),
            Step::Unreadable(error) => survey.unreadable.push_walk(&error),
        }
        if watch.stops() || first.len() >= walk::SMALL {
            break;
        }
    }
    if first.len() < walk::SMALL || walk::threads() == 1 {
        let rest = files.filter_map(|step| match step {
            Step::File(path) => Some(path),
            Step::Unreadable(_) => None,
        });
        let mut scanner = Scanner::new(query, watch, false);
        for path in first.into_iter().chain(rest) {
            let outcome = Outcome::of(scanner.count(&path, Survey::most(query)));
            if !outcome.give(|| shown(query, &base, &path), &mut survey) {
                break;
            }
        }
        return survey;
    }
    let survey = Mutex::new(Ordered { next: 0, early: BTreeMap::new(), survey });
    let pool = Pool {
        query,
        watch,
        base: &base,
        survey,
        queue: Mutex::default(),
        changed: Condvar::new(),
        stop: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        for _ in 0..walk::threads() {
            scope.spawn(|| pool.work());
        }
        pool.feed(first, files);
        pool.work();
    });
    pool.survey.into_inner().unwrap_or_else(PoisonError::into_inner).survey
}

/// The path under which a file is shown.
fn shown(query: &Query, base: &Path, path: &Path) -> Vec<u8> {
    place::below(query.base.as_bytes(), walk::below(base, path))
}

/// Threads that search, and the thread that gives them files.
struct Pool<'p, 'q> {
    query: &'q Query,
    watch: &'p Watch,
    base: &'p Path,
    survey: Mutex<Ordered<'q>>,
    queue: Mutex<Queue>,
    changed: Condvar,
    stop: AtomicBool,
}

#[derive(Default)]
struct Queue {
    batches: VecDeque<(u64, Vec<PathBuf>)>,
    complete: bool,
}

/// Outcomes, counted in the order of their files.
struct Ordered<'q> {
    /// The next batch.
    next: u64,
    early: BTreeMap<u64, Vec<(PathBuf, Outcome)>>,
    survey: Survey<'q>,
}

impl Pool<'_, '_> {
    fn feed(&self, first: Vec<PathBuf>, files: Files<'_>) {
        let (mut number, mut batch) = (0, Vec::with_capacity(BATCH));
        for step in first.into_iter().map(Step::File).chain(files) {
            match step {
                Step::File(path) => batch.push(path),
                Step::Unreadable(error) => lock(&self.survey).survey.unreadable.push_walk(&error),
            }
            if batch.len() == BATCH {
                self.wait_for_room(number);
                if self.stops() {
                    break;
                }
                self.put(number, std::mem::replace(&mut batch, Vec::with_capacity(BATCH)));
                number += 1;
            }
        }
        self.put(number, batch);
        lock(&self.queue).complete = true;
        self.changed.notify_all();
    }

    fn stops(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.watch.stops()
    }

    fn put(&self, number: u64, batch: Vec<PathBuf>) {
        lock(&self.queue).batches.push_back((number, batch));
        self.changed.notify_one();
    }

    fn wait_for_room(&self, number: u64) {
        let full = || lock(&self.queue).batches.len() >= MAX_WAITING || number - lock(&self.survey).next > MAX_AHEAD;
        while !self.stops() && full() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn work(&self) {
        let mut scanner = Scanner::of_a_thread(self.query, self.watch);
        let most = Survey::most(self.query);
        while let Some((number, batch)) = self.next_batch() {
            let mut outcomes = Vec::new();
            for path in batch {
                let outcome = Outcome::of(scanner.count(&path, most));
                let stopped = matches!(outcome, Outcome::Stopped);
                outcomes.push((path, outcome));
                if stopped || self.stop.load(Ordering::Relaxed) {
                    break;
                }
            }
            if !self.give(number, outcomes) {
                self.stop.store(true, Ordering::Relaxed);
                self.changed.notify_all();
                return;
            }
        }
    }

    fn next_batch(&self) -> Option<(u64, Vec<PathBuf>)> {
        let mut queue = lock(&self.queue);
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(batch) = queue.batches.pop_front() {
                return Some(batch);
            }
            if queue.complete {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// False when no more is needed.
    fn give(&self, number: u64, outcomes: Vec<(PathBuf, Outcome)>) -> bool {
        let mut ordered = lock(&self.survey);
        ordered.early.insert(number, outcomes);
        loop {
            let next = ordered.next;
            let Some(outcomes) = ordered.early.remove(&next) else { return true };
            ordered.next += 1;
            for (path, outcome) in outcomes {
                if !outcome.give(|| shown(self.query, self.base, &path), &mut ordered.survey) {
                    return false;
                }
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
