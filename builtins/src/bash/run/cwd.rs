//! The directory in which the commands of a conversation run, when one command may change it for the next.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use agentscope_tool::AgentState;
use memchr::memmem;

/// Where the directory is kept in the state of a conversation, so that it is saved and loaded with it.
const KEY: &str = "agentscope_tool.bash.cwd";
/// The longest path that a shell is believed.
const MAX_PATH: usize = 16 * 1024;

/// The directory that an earlier command of the conversation has left behind.
pub(super) fn kept(state: &AgentState) -> Option<String> {
    state.read(|record| record.middle_context.get(KEY)?.as_str().filter(|path| path.starts_with('/')).map(Into::into))
}

/// Keeps a directory for the next command.
pub(super) fn keep(state: &AgentState, path: &str) {
    state.update(|record| record.middle_context.insert(KEY.into(), path.into()));
}

/// Goes back to the directory that commands run in by default.
pub(super) fn forget(state: &AgentState) {
    state.update(|record| record.middle_context.remove(KEY));
}

/// Whether a command may end in another directory than it began in. Others run exactly as they are written.
pub(super) fn may_change(command: &str) -> bool {
    ["cd", "pushd", "popd"].iter().any(|word| command.contains(word))
}

/// Finds out in which directory a shell ends: it says so on its standard output, behind a mark that nobody can know
/// before, and what it says is taken out again. A command that tells a lie gets no further than with `cd`.
#[derive(Debug)]
pub(super) struct Mark {
    /// A NUL, digits, an end of line.
    mark: Vec<u8>,
    /// Bytes that may be the start of the mark, or those behind it.
    pending: Vec<u8>,
    inside: bool,
    path: Option<String>,
}

impl Mark {
    pub(super) fn new() -> Self {
        let random = || RandomState::new().build_hasher().finish();
        let mark = format!("\0{:016x}{:016x}\n", random(), random()).into_bytes();
        Self { mark, pending: Vec::new(), inside: false, path: None }
    }

    /// The command's text with what makes the shell tell its directory when it ends, however it does. It stands on the
    /// command's first line, so that the numbers of lines in the shell's messages stay as they are, and writes to a copy
    /// of the standard output, since the command may redirect the shell's own.
    pub(super) fn around(&self, command: &str) -> String {
        let mark = String::from_utf8_lossy(&self.mark);
        let digits = mark.trim_matches(['\0', '\n']);
        format!(
            "exec 7>&1; trap '{{ printf \"\\000{digits}\\n\"; command pwd -P; printf \"\\000\"; }} >&7 2>/dev/null' EXIT; {command}"
        )
    }

    /// Takes a piece of standard output, and gives back what of it is the command's own.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut own = Vec::new();
        self.pending.extend_from_slice(bytes);
        loop {
            if self.inside {
                match memchr::memchr(0, &self.pending) {
                    Some(end) => {
                        let said = self.pending.drain(..=end).collect::<Vec<_>>();
                        self.believe(&said[..end]);
                        self.inside = false;
                    }
                    None if self.pending.len() > MAX_PATH => {
                        self.pending.clear();
                        self.inside = false;
                    }
                    None => return own,
                }
            } else if let Some(at) = memmem::find(&self.pending, &self.mark) {
                own.extend(self.pending.drain(..at));
                self.pending.drain(..self.mark.len());
                self.inside = true;
            } else {
                let sure = self.pending.len() - self.begun();
                own.extend(self.pending.drain(..sure));
                return own;
            }
        }
    }

    /// What is left of the command's own output when nothing follows, and the directory if the shell has told it.
    pub(super) fn finish(self) -> (Vec<u8>, Option<String>) {
        (if self.inside { Vec::new() } else { self.pending }, self.path)
    }

    /// How many bytes at the end may be the start of the mark.
    fn begun(&self) -> usize {
        let most = self.pending.len().min(self.mark.len() - 1);
        (1..=most).rev().find(|length| self.pending.ends_with(&self.mark[..*length])).unwrap_or(0)
    }

    fn believe(&mut self, said: &[u8]) {
        let path = said.strip_suffix(b"\n").and_then(|path| std::str::from_utf8(path).ok());
        self.path = path.filter(|path| path.starts_with('/')).map(Into::into);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_saved_directory_that_is_not_absolute_is_not_used() {
        let state = AgentState::new();
        assert_eq!(kept(&state), None);
        keep(&state, "relative");
        assert_eq!(kept(&state), None);
        keep(&state, "/w");
        assert_eq!(kept(&state).as_deref(), Some("/w"));
        forget(&state);
        assert_eq!(kept(&state), None);
    }

    #[test]
    fn what_never_ends_is_let_go() {
        let mut mark = Mark::new();
        let start = mark.mark.clone();
        mark.push(&start);
        for _ in 0..10 {
            mark.push(&[b'x'; MAX_PATH / 2]);
            assert!(mark.pending.len() <= 2 * MAX_PATH);
        }
        assert_eq!(mark.finish().1, None);
    }

    proptest! {
        #[test]
        fn the_directory_is_taken_out_of_the_output_in_whatever_pieces_it_comes(
            before in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..30), after in "[ab]{0,5}", path in "/[a-z\\n]{0,10}", size in 1..50_usize,
        ) {
            let mut mark = Mark::new();
            // An output that begins like the mark does.
            let start = mark.mark[..mark.mark.len() - 1].to_vec();
            let own = [before.as_slice(), &start, after.as_bytes()].concat();
            let whole = [before.as_slice(), &start, &mark.mark, path.as_bytes(), b"\n\0", after.as_bytes()].concat();
            let mut shown: Vec<u8> = whole.chunks(size).flat_map(|piece| mark.push(piece)).collect();
            let (rest, found) = mark.finish();
            shown.extend(rest);
            prop_assert_eq!(shown, own);
            prop_assert_eq!(found, Some(path));
        }
    }
}
