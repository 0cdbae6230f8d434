//! Finding files on this machine, in process.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use agentscope_tool::backend::FileTime;
use ignore::{DirEntry, ParallelVisitor, ParallelVisitorBuilder, WalkBuilder, WalkState};

use super::Hits;
use crate::search::newest::Found;
use crate::search::page::Page;
use crate::search::pattern::Pattern;
use crate::search::virtual_fs::is_virtual;
use crate::search::walk;
use crate::search::watch::Watch;

/// After how many entries the watch is asked again.
const WATCHED_ENTRIES: u64 = 32;

/// Finds the files below `root` that match.
pub(super) fn search(root: &Path, pattern: &Pattern, page: Page, gitignore: bool, watch: &Watch) -> Hits {
    let mut builder = walk::builder(root, gitignore);
    builder.max_depth(pattern.depth());
    if root == Path::new("/") {
        builder.filter_entry(|entry| !is_virtual(entry.path().as_os_str().as_encoded_bytes()));
    }
    let search = Search { root, pattern, page, watch };
    search.alone(&builder).unwrap_or_else(|| search.together(&mut builder))
}

struct Search<'s> {
    root: &'s Path,
    pattern: &'s Pattern,
    page: Page,
    watch: &'s Watch,
}

impl Search<'_> {
    /// On this thread; nothing if the tree is so large that threads are worth their start. What was done until then is
    /// little beside what is to come.
    fn alone(&self, builder: &WalkBuilder) -> Option<Hits> {
        let mut hits = Hits::new(self.page);
        for (index, entry) in builder.build().enumerate() {
            if index >= walk::SMALL && walk::threads() > 1 {
                return None;
            }
            if !self.visit(entry, &mut hits) {
                break;
            }
        }
        Some(hits)
    }

    fn together(&self, builder: &mut WalkBuilder) -> Hits {
        let all = Mutex::new(Hits::new(self.page));
        builder.threads(walk::threads()).build_parallel().visit(&mut Visitors { search: self, all: &all });
        all.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at an entry; false when the search is to stop.
    fn visit(&self, entry: Result<DirEntry, ignore::Error>, hits: &mut Hits) -> bool {
        match entry {
            Ok(entry) => {
                let path = walk::below(self.root, entry.path());
                if self.pattern.matches(path)
                    && let Some(metadata) = file(&entry)
                {
                    hits.newest.push(Found { mtime: mtime(&metadata), path: path.to_owned() });
                }
            }
            Err(error) => hits.unreadable.push_walk(&error),
        }
        hits.looked += 1;
        hits.looked % WATCHED_ENTRIES != 1 || !self.watch.stops()
    }
}

/// What is known of a regular file, or of the one to which a link leads. What is gone since it was listed is none.
fn file(entry: &DirEntry) -> Option<Metadata> {
    let kind = entry.file_type()?;
    let metadata = match (kind.is_file(), kind.is_symlink()) {
        (true, _) => entry.metadata().ok()?,
        (_, true) => std::fs::metadata(entry.path()).ok()?,
        _ => return None,
    };
    metadata.is_file().then_some(metadata)
}

fn mtime(metadata: &Metadata) -> FileTime {
    let parts = |time: Duration| (i64::try_from(time.as_secs()).unwrap_or(i64::MAX), time.subsec_nanos());
    match metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH).duration_since(UNIX_EPOCH) {
        Ok(after) => {
            let (seconds, nanos) = parts(after);
            FileTime::new(seconds, nanos)
        }
        Err(before) => match parts(before.duration()) {
            (seconds, 0) => FileTime::new(-seconds, 0),
            (seconds, nanos) => FileTime::new(-seconds - 1, 1_000_000_000 - nanos),
        },
    }
}

struct Visitors<'s, 'h> {
    search: &'s Search<'s>,
    all: &'h Mutex<Hits>,
}

impl<'v, 's: 'v, 'h: 'v> ParallelVisitorBuilder<'v> for Visitors<'s, 'h> {
    fn build(&mut self) -> Box<dyn ParallelVisitor + 'v> {
        Box::new(Visitor { search: self.search, all: self.all, own: Hits::new(self.search.page) })
    }
}

/// One thread of the search; what it has found is joined with the rest when it ends.
struct Visitor<'s, 'h> {
    search: &'s Search<'s>,
    all: &'h Mutex<Hits>,
    own: Hits,
}

impl ParallelVisitor for Visitor<'_, '_> {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) -> WalkState {
        if self.search.visit(entry, &mut self.own) { WalkState::Continue } else { WalkState::Quit }
    }
}

impl Drop for Visitor<'_, '_> {
    fn drop(&mut self) {
        let own = std::mem::replace(&mut self.own, Hits::new(self.search.page));
        let mut all: MutexGuard<'_, Hits> = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.newest.merge(own.newest);
        all.unreadable.merge(own.unreadable);
    }
}
