//! The text of the faults, put together while the compiler runs: without allocation, in a buffer of fixed size.

use super::super::Profiles;
use crate::schema::Profile;

/// How many bytes of text there is room for: some thirty faults.
const ROOM: usize = 6000;

/// What is wrong, a line for each fault.
#[derive(Clone)]
pub struct Message {
    text: [u8; ROOM],
    len: usize,
    is_cut: bool,
}

/// A step of a path.
#[derive(Clone, Copy)]
pub(super) enum Segment {
    /// `.name`
    Key(&'static str),
    /// `[]`
    Items,
    /// `.0`
    Place(usize),
    /// `{}`
    Values,
    /// `::Name`
    Variant(&'static str),
}

impl Message {
    pub(super) const fn new() -> Self {
        Self { text: [0; ROOM], len: 0, is_cut: false }
    }

    /// The text; empty if nothing is wrong.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.text.split_at(self.len).0) {
            Ok(text) => text,
            // Only whole texts were put in.
            Err(_) => "",
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a text. When there is no more room, no further text is added, not even a shorter one.
    pub(super) const fn push(&mut self, text: &str) {
        let bytes = text.as_bytes();
        if self.is_cut || self.len + bytes.len() > ROOM {
            self.is_cut = true;
            return;
        }
        let (_, rest) = self.text.split_at_mut(self.len);
        rest.split_at_mut(bytes.len()).0.copy_from_slice(bytes);
        self.len += bytes.len();
    }

    pub(super) const fn push_number(&mut self, number: usize) {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        if number >= 10 {
            self.push_number(number / 10);
        }
        self.push(DIGITS[number % 10]);
    }

    pub(super) const fn push_segment(&mut self, segment: Segment) {
        match segment {
            Segment::Key(name) => {
                self.push(".");
                self.push(name);
            }
            Segment::Items => self.push("[]"),
            Segment::Place(index) => {
                self.push(".");
                self.push_number(index);
            }
            Segment::Values => self.push("{}"),
            Segment::Variant(name) => {
                self.push("::");
                self.push(name);
            }
        }
    }

    /// `` `openai`, `xai` and `mcp` ``.
    pub(super) const fn push_profiles(&mut self, profiles: Profiles) {
        let mut left = profiles;
        let mut is_first = true;
        let mut index = 0;
        while index < Profile::ALL.len() {
            let profile = Profile::ALL[index];
            index += 1;
            if !left.contains(profile) {
                continue;
            }
            left = left.without(Profiles::NONE.and(profile));
            if !is_first {
                self.push(if left.is_empty() { " and " } else { ", " });
            }
            is_first = false;
            self.push("`");
            self.push(profile.name());
            self.push("`");
        }
    }
}

impl std::fmt::Debug for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_str().fmt(f)
    }
}

impl std::fmt::Display for Message {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
