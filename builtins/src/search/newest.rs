//! The newest of many files, in memory that depends on how many are asked for, not on how many there are.

use std::cmp::Ordering;

use agentscope_tool::backend::FileTime;

use super::name;

/// A file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// When its content changed.
    pub(crate) mtime: FileTime,
    /// Its path below the directory that was searched.
    pub(crate) path: Vec<u8>,
}

impl Found {
    /// Newest first; files of the same time by their paths.
    fn order(&self, other: &Self) -> Ordering {
        other.mtime.cmp(&self.mtime).then_with(|| name::compare(&self.path, &other.path))
    }
}

/// The first of the files in the order in which they are shown.
#[derive(Debug)]
pub(crate) struct Newest {
    keep: usize,
    files: Vec<Found>,
    total: u64,
}

impl Newest {
    /// Keeps that many files.
    pub(crate) fn new(keep: u64) -> Self {
        Self { keep: usize::try_from(keep).unwrap_or(usize::MAX), files: Vec::new(), total: 0 }
    }

    /// Takes a file.
    pub(crate) fn push(&mut self, file: Found) {
        self.total += 1;
        self.files.push(file);
        // Sorting out only now and then keeps the cost of each file constant.
        if self.files.len() >= self.keep.saturating_mul(2).saturating_add(1024) {
            self.shrink();
        }
    }

    /// Takes the files that another has found.
    pub(crate) fn merge(&mut self, other: Self) {
        self.total += other.total;
        self.files.extend(other.files);
        self.shrink();
    }

    fn shrink(&mut self) {
        if self.files.len() > self.keep {
            if self.keep > 0 {
                self.files.select_nth_unstable_by(self.keep - 1, Found::order);
            }
            self.files.truncate(self.keep);
        }
    }

    /// How many files there were.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The files, newest first.
    pub(crate) fn into_sorted(mut self) -> Vec<Found> {
        self.shrink();
        self.files.sort_unstable_by(Found::order);
        self.files
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_newest_are_those_of_all_sorted(
            times in prop::collection::vec(0..50_i64, 0..3000), keep in 0..40_u64, split in 0..3000_usize,
        ) {
            let files: Vec<_> = times.iter().enumerate()
                .map(|(index, time)| Found { mtime: FileTime::new(*time, 0), path: format!("{index}").into_bytes() })
                .collect();
            let (one, other) = files.split_at(split.min(files.len()));
            let collect = |files: &[Found]| {
                let mut newest = Newest::new(keep);
                files.iter().cloned().for_each(|file| newest.push(file));
                newest
            };
            let mut newest = collect(one);
            newest.merge(collect(other));
            prop_assert_eq!(newest.total(), files.len() as u64);
            let mut sorted = files;
            sorted.sort_by(Found::order);
            sorted.truncate(keep as usize);
            prop_assert_eq!(newest.into_sorted(), sorted);
        }
    }
}
