//! Running a program that searches, and taking its results one by one as they come.

use agentscope_tool::ToolError;
use agentscope_tool::backend::{Backend, BackendErrorKind, Command, ExecEvent, ExecStatus};
use futures_util::StreamExt;

use super::watch::Watch;

/// The longest result that is looked at, in bytes.
const MAX_RECORD: usize = 8 * 1024 * 1024;

/// How a program ended.
#[derive(Debug)]
pub(crate) enum Ran {
    /// There is no such program, or the environment runs none.
    Missing,
    /// By itself, with that code and these last words.
    Exited(i32, String),
    /// It was ended before it was complete.
    Stopped,
}

/// Runs a program and gives its results to `take`, which are separated by `separator`, until that says false. Results
/// that are too long to be kept are given as nothing.
///
/// # Errors
/// When the program cannot be run for another reason than that it is missing.
pub(crate) async fn run(
    backend: &dyn Backend,
    command: Command,
    separator: &[u8],
    watch: &Watch,
    mut take: impl FnMut(Option<&[u8]>) -> bool,
) -> Result<Ran, ToolError> {
    let failed = |error: &dyn std::fmt::Display| ToolError::failed(error.to_string());
    let program = command.program().to_owned();
    let mut execution = match backend.exec(command.timeout(watch.left())).await {
        Ok(execution) => execution,
        Err(error) if error.kind() == BackendErrorKind::Unsupported => return Ok(Ran::Missing),
        // What is missing could also be the directory in which to run it.
        Err(error) if error.kind() == BackendErrorKind::NotFound && error.path() == program => return Ok(Ran::Missing),
        Err(error) => return Err(failed(&error)),
    };
    let mut records = Records { separator, pending: Vec::new(), searched: 0, skips: false };
    while let Some(event) = execution.next().await {
        match event.map_err(|error| failed(&error))? {
            ExecEvent::Stdout(bytes) if !records.push(&bytes, &mut take) => return Ok(Ran::Stopped),
            ExecEvent::Exit(ExecStatus::Exited(127)) => return Ok(Ran::Missing),
            ExecEvent::Exit(ExecStatus::Exited(code)) => {
                records.end(&mut take);
                return Ok(Ran::Exited(code, execution.stderr().to_text().into_owned()));
            }
            ExecEvent::Exit(ExecStatus::TimedOut) => {
                watch.is_over();
                return Ok(Ran::Stopped);
            }
            ExecEvent::Exit(status) => return Err(ToolError::failed(format!("`{program}` {status}; try again"))),
            _ => {}
        }
    }
    Err(ToolError::failed(format!("`{program}` did not end properly; try again")))
}

/// Puts results together that come in pieces.
struct Records<'s> {
    separator: &'s [u8],
    pending: Vec<u8>,
    /// How much of it certainly holds no separator.
    searched: usize,
    /// Whether the start of this result was let go.
    skips: bool,
}

impl Records<'_> {
    fn push(&mut self, bytes: &[u8], take: &mut impl FnMut(Option<&[u8]>) -> bool) -> bool {
        self.pending.extend_from_slice(bytes);
        let mut start = 0;
        loop {
            let from = start.max(self.searched);
            let found = self.pending[from..].windows(self.separator.len()).position(|window| window == self.separator);
            let Some(at) = found else { break };
            let end = from + at;
            let record = (!self.skips).then(|| &self.pending[start..end]);
            if !take(record) {
                return false;
            }
            self.skips = false;
            start = end + self.separator.len();
            self.searched = start;
        }
        self.pending.drain(..start);
        self.searched = (self.pending.len() + 1).saturating_sub(self.separator.len());
        if self.pending.len() > MAX_RECORD {
            self.pending.drain(..self.searched);
            self.searched = 0;
            self.skips = true;
        }
        true
    }

    /// The last result need not be followed by a separator.
    fn end(&mut self, take: &mut impl FnMut(Option<&[u8]>) -> bool) {
        if self.skips {
            take(None);
        } else if !self.pending.is_empty() {
            take(Some(&self.pending));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn results_are_the_same_in_whatever_pieces_they_come(
            bytes in "[ab/\n]{0,60}", cuts in prop::collection::vec(0..8_usize, 0..40), separator in prop_oneof![Just("\n"), Just("\n//")],
        ) {
            let mut records = Records { separator: separator.as_bytes(), pending: Vec::new(), searched: 0, skips: false };
            let mut seen = Vec::new();
            let mut take = |record: Option<&[u8]>| {
                seen.push(String::from_utf8(record.unwrap().to_vec()).unwrap());
                true
            };
            let mut rest = bytes.as_bytes();
            for cut in cuts {
                let (piece, after) = rest.split_at(cut.min(rest.len()));
                prop_assert!(records.push(piece, &mut take));
                rest = after;
            }
            records.push(rest, &mut take);
            records.end(&mut take);
            let mut expected: Vec<_> = bytes.split(separator).map(str::to_owned).collect();
            if expected.last().is_some_and(String::is_empty) {
                expected.pop();
            }
            prop_assert_eq!(seen, expected);
        }
    }

    #[test]
    fn a_result_that_is_too_long_is_told_and_the_next_is_whole() {
        let mut records = Records { separator: b"\n", pending: Vec::new(), searched: 0, skips: false };
        let mut seen = Vec::new();
        let mut take = |record: Option<&[u8]>| {
            seen.push(record.map(<[u8]>::to_vec));
            true
        };
        for _ in 0..3 {
            records.push(&vec![b'x'; MAX_RECORD], &mut take);
            assert!(records.pending.len() <= MAX_RECORD);
        }
        records.push(b"x\nnext\n", &mut take);
        assert_eq!(seen, [None, Some(b"next".to_vec())]);
    }
}
