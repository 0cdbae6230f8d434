//! Counting and printing.

use std::fmt;
use std::ops::AddAssign;
use std::path::Path;

use super::Verdict;

/// How many cases passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// As expected.
    pub passed: usize,
    /// Not as expected.
    pub failed: usize,
    /// Not run.
    pub skipped: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// What came of the cases of one file.
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
    verdicts: Vec<(String, Verdict)>,
}

impl Report {
    pub(super) fn new(path: &Path) -> Self {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Self { name, verdicts: Vec::new() }
    }

    pub(super) fn add(&mut self, id: &str, verdict: Verdict) {
        self.verdicts.push((id.to_owned(), verdict));
    }

    /// Each case's id, with its verdict.
    #[must_use]
    pub fn verdicts(&self) -> &[(String, Verdict)] {
        &self.verdicts
    }

    /// The numbers.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (_, verdict) in &self.verdicts {
            match verdict {
                Verdict::Passed => tally.passed += 1,
                Verdict::Failed(_) => tally.failed += 1,
                Verdict::Skipped(_) => tally.skipped += 1,
            }
        }
        tally
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, verdict) in &self.verdicts {
            match verdict {
                Verdict::Passed => {}
                Verdict::Failed(why) => writeln!(f, "FAILED  {id}: {why}")?,
                Verdict::Skipped(why) => writeln!(f, "skipped {id}: {why}")?,
            }
        }
        writeln!(f, "{}: {}", self.name, self.tally())
    }
}
