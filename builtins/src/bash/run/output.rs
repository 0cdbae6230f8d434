//! How much of an output is shown: its start as it comes, its end when it is over.

/// Cuts an endless text to a limit, in memory that does not grow with it.
#[derive(Debug)]
pub(super) struct Output {
    /// Characters that may still be shown at once.
    head_left: usize,
    tail_limit: usize,
    tail: String,
    tail_characters: usize,
    total: u64,
    shown: u64,
    ends_line: bool,
}

impl Output {
    /// An output of which at most `limit` characters are shown, half of them from its end.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            head_left: limit - limit / 2,
            tail_limit: limit / 2,
            tail: String::new(),
            tail_characters: 0,
            total: 0,
            shown: 0,
            ends_line: true,
        }
    }

    /// Takes the next text, and gives what of it is to be shown now.
    pub(super) fn push(&mut self, mut text: String) -> String {
        if text.is_empty() {
            return text;
        }
        let characters = text.chars().count();
        self.total += characters as u64;
        if characters <= self.head_left {
            self.head_left -= characters;
            self.note(&text, characters);
            return text;
        }
        let at = byte_of(&text, self.head_left);
        let rest = text.split_off(at);
        let (now, later) = (self.head_left, characters - self.head_left);
        self.head_left = 0;
        self.note(&text, now);
        self.keep(&rest, later);
        text
    }

    /// What is still to be shown when nothing follows: the end, and how much is missing before it.
    pub(super) fn finish(&mut self) -> String {
        self.trim_tail();
        let tail = std::mem::take(&mut self.tail);
        let cut = self.cut();
        let mut text = String::new();
        if cut > 0 {
            let line = if self.ends_line { "" } else { "\n" };
            let unit = if cut == 1 { "character" } else { "characters" };
            text = format!("{line}[output truncated: {cut} {unit} left out here, of {}]\n", self.total);
        }
        text.push_str(&tail);
        if !text.is_empty() {
            self.ends_line = text.ends_with('\n');
        }
        text
    }

    /// Whether what was shown ends with an end of line, or is nothing.
    pub(super) fn ends_line(&self) -> bool {
        self.ends_line
    }

    /// How many characters are in neither the start nor the end that is kept.
    pub(super) fn cut(&self) -> u64 {
        self.total - self.shown - self.tail_characters.min(self.tail_limit) as u64
    }

    fn note(&mut self, text: &str, characters: usize) {
        self.shown += characters as u64;
        if !text.is_empty() {
            self.ends_line = text.ends_with('\n');
        }
    }

    fn keep(&mut self, text: &str, characters: usize) {
        self.tail.push_str(text);
        self.tail_characters += characters;
        // Twice the limit, so that moving the end to the front is paid for by as many characters that came.
        if self.tail_characters > self.tail_limit.saturating_mul(2) {
            self.trim_tail();
        }
    }

    fn trim_tail(&mut self) {
        let over = self.tail_characters.saturating_sub(self.tail_limit);
        if over > 0 {
            let at = byte_of(&self.tail, over);
            self.tail.drain(..at);
            self.tail_characters -= over;
        }
    }
}

/// Where the character with that number begins.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(limit: usize, pieces: &[&str]) -> String {
        let mut output = Output::new(limit);
        let mut all: String = pieces.iter().map(|piece| output.push((*piece).into())).collect();
        all.push_str(&output.finish());
        all
    }

    #[test]
    fn the_start_is_shown_at_once_and_the_end_in_the_end() {
        let mut output = Output::new(6);
        assert_eq!(output.push("äb".into()), "äb");
        assert_eq!(output.push("cdefgh".into()), "c");
        assert_eq!(output.push("ijö".into()), "");
        assert_eq!(output.finish(), "\n[output truncated: 5 characters left out here, of 11]\nijö");
        assert!(!output.ends_line());
    }

    #[test]
    fn nothing_is_said_when_all_fits() {
        assert_eq!(shown(6, &["abc", "def"]), "abcdef");
        assert_eq!(shown(6, &["abcdef"]), "abcdef");
        assert_eq!(shown(5, &["abc\n", "de"]), "abc\n[output truncated: 1 character left out here, of 6]\nde");
        assert_eq!(shown(0, &["ab"]), "[output truncated: 2 characters left out here, of 2]\n");
        assert_eq!(shown(9, &[]), "");
    }

    proptest! {
        #[test]
        fn start_and_end_are_those_of_the_whole(pieces in prop::collection::vec("[aä\n€]{0,9}", 0..12), limit in 0..30_usize) {
            let whole = pieces.concat();
            let count = whole.chars().count();
            let pieces: Vec<_> = pieces.iter().map(String::as_str).collect();
            let shown = shown(limit, &pieces);
            if count <= limit {
                prop_assert_eq!(shown, whole);
            } else {
                let head: String = whole.chars().take(limit - limit / 2).collect();
                let tail: String = whole.chars().skip(count - limit / 2).collect();
                prop_assert!(shown.starts_with(&head));
                let note = format!("[output truncated: {} character", count - limit);
                prop_assert!(shown.contains(&note), "{}", shown);
                let end = format!("here, of {count}]\n{tail}");
                prop_assert!(shown.ends_with(&end), "{}", shown);
            }
        }

        #[test]
        fn memory_does_not_grow(pieces in prop::collection::vec("[a€]{0,50}", 0..60), limit in 0..20_usize) {
            let mut output = Output::new(limit);
            for piece in pieces {
                output.push(piece);
                prop_assert!(output.tail_characters <= 2 * output.tail_limit);
            }
        }
    }
}
