//! What a tool has changed in a file, as a unified diff.

use std::ops::Range;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};
use memchr::{memchr, memchr_iter, memrchr};

use crate::text::TextFormat;

/// How many unchanged lines are shown around each change.
const CONTEXT: u32 = 3;
/// How many bytes of change are compared line by line.
const COMPARED: usize = 8 * 1024 * 1024;
/// How many bytes a diff has at most.
const SHOWN: usize = 256 * 1024;

/// The text of a file before and after a change. Both are in the file's encoding, but for UTF-16, which is decoded before.
pub(crate) struct Change<'t> {
    /// The file's absolute path.
    pub(crate) path: &'t str,
    /// The text before; nothing for a file that is new.
    pub(crate) old: Option<&'t [u8]>,
    pub(crate) new: &'t [u8],
    /// How to decode either.
    pub(crate) format: TextFormat,
}

/// The diff between something that is not text and what took its place.
pub(crate) fn of_binary(path: &str) -> String {
    format!("Binary files a{path} and b{path} differ\n")
}

impl Change<'_> {
    /// The unified diff; empty when nothing was changed.
    ///
    /// The time it takes depends on how much was changed, beside one comparison of the two texts.
    pub(crate) fn unified(&self) -> String {
        let old = self.old.unwrap_or_default();
        if self.old.is_some() && old == self.new {
            return String::new();
        }
        let (before, after) = middle(old, self.new);
        let mut out = match self.old {
            Some(_) => format!("--- a{0}\n+++ b{0}\n", self.path),
            None => format!("--- /dev/null\n+++ b{}\n", self.path),
        };
        if before.len() + after.len() > COMPARED {
            let lines = |range: Range<usize>, text: &[u8]| memchr_iter(b'\n', &text[range]).count();
            let (removed, added) = (lines(before, old), lines(after, self.new));
            out.push_str(&format!("# about {removed} lines replaced by about {added}, too many to show\n"));
            return out;
        }
        let first_line = memchr_iter(b'\n', &old[..before.start]).count();
        let old_lines: Vec<&[u8]> = old[before].split_inclusive(|byte| *byte == b'\n').collect();
        let new_lines: Vec<&[u8]> = self.new[after].split_inclusive(|byte| *byte == b'\n').collect();
        let mut input = InternedInput::default();
        input.update_before(old_lines.iter().copied());
        input.update_after(new_lines.iter().copied());
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let hunks: Vec<Hunk> = diff.hunks().collect();
        for group in groups(&hunks) {
            self.write_group(group, &old_lines, &new_lines, first_line, &mut out);
            if out.len() > SHOWN {
                let mut end = SHOWN;
                while !out.is_char_boundary(end) {
                    end -= 1;
                }
                out.truncate(end);
                out.push_str("\n# the rest of the diff is left out\n");
                break;
            }
        }
        out
    }

    fn write_group(&self, group: &[Hunk], old: &[&[u8]], new: &[&[u8]], first_line: usize, out: &mut String) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return };
        let (old_end, new_end) = (old.len() as u32, new.len() as u32);
        let lead = first.before.start.min(CONTEXT);
        let tail = (old_end - last.before.end).min(CONTEXT);
        let before = first.before.start - lead..last.before.end + tail;
        let after = first.after.start - lead..(last.after.end + tail).min(new_end);
        out.push_str(&format!("@@ -{} +{} @@\n", range(&before, first_line), range(&after, first_line)));
        let mut at = before.start;
        for hunk in group {
            self.write_lines(' ', &old[at as usize..hunk.before.start as usize], out);
            self.write_lines('-', &old[hunk.before.start as usize..hunk.before.end as usize], out);
            self.write_lines('+', &new[hunk.after.start as usize..hunk.after.end as usize], out);
            at = hunk.before.end;
        }
        self.write_lines(' ', &old[at as usize..before.end as usize], out);
    }

    fn write_lines(&self, sign: char, lines: &[&[u8]], out: &mut String) {
        for line in lines {
            out.push(sign);
            out.push_str(&self.format.decode(line).0);
            if !line.ends_with(b"\n") {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// Changes that are so near to each other that their contexts meet.
fn groups(hunks: &[Hunk]) -> impl Iterator<Item = &[Hunk]> {
    hunks.chunk_by(|one, next| next.before.start - one.before.end <= 2 * CONTEXT)
}

/// Lines as a hunk's header counts them. No lines are said to be behind the line before them.
fn range(lines: &Range<u32>, first_line: usize) -> String {
    let (start, count) = (lines.start as usize + first_line, lines.len());
    match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    }
}

/// The parts of both texts that may differ, in whole lines and with context around them.
fn middle(old: &[u8], new: &[u8]) -> (Range<usize>, Range<usize>) {
    let prefix = common_prefix(old, new);
    let suffix = common_suffix(&old[prefix..], &new[prefix..]);
    let start = start_of_lines(old, prefix);
    let (old_end, new_end) = (old.len() - suffix, new.len() - suffix);
    let at_line_start = |text: &[u8], end| end == 0 || text[end - 1] == b'\n';
    let tail = end_of_lines(&old[old_end..], at_line_start(old, old_end) && at_line_start(new, new_end));
    (start..old_end + tail, start..new_end + tail)
}

/// Texts are compared in blocks first, which is as fast as reading them.
const BLOCK: usize = 4096;

fn common_prefix(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.chunks_exact(BLOCK).zip(new.chunks_exact(BLOCK)).take_while(|(old, new)| old == new).count();
    let start = blocks * BLOCK;
    start + old[start..].iter().zip(&new[start..]).take_while(|(old, new)| old == new).count()
}

fn common_suffix(old: &[u8], new: &[u8]) -> usize {
    let blocks = old.rchunks_exact(BLOCK).zip(new.rchunks_exact(BLOCK)).take_while(|(old, new)| old == new).count();
    let end = blocks * BLOCK;
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    end + old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count()
}

/// Where the line of a place begins, and the lines of context before it.
fn start_of_lines(text: &[u8], at: usize) -> usize {
    let mut start = at;
    for _ in 0..=CONTEXT {
        start = match memrchr(b'\n', &text[..start.saturating_sub(1).min(text.len())]) {
            _ if start == 0 => return 0,
            Some(lf) => lf + 1,
            None => return 0,
        };
    }
    start
}

/// How far it is to the end of the line, and of the lines of context behind it.
fn end_of_lines(rest: &[u8], at_line_start: bool) -> usize {
    let mut end = 0;
    for _ in 0..CONTEXT + u32::from(!at_line_start) {
        match memchr(b'\n', &rest[end..]) {
            Some(lf) => end += lf + 1,
            None => return rest.len(),
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn diff(old: Option<&str>, new: &str) -> String {
        let old = old.map(str::as_bytes);
        Change { path: "/w/a.txt", old, new: new.as_bytes(), format: TextFormat::PLAIN }.unified()
    }

    /// What a diff makes of the text before.
    fn applied(old: &str, diff: &str) -> String {
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let mut new = String::new();
        let mut at = 0;
        let mut lines = diff.split_inclusive('\n').skip(2).peekable();
        while let Some(line) = lines.next() {
            let (sign, text) = line.split_at(1);
            let newline = lines.peek().is_none_or(|next| !next.starts_with('\\'));
            let text = if newline { text } else { text.trim_end_matches('\n') };
            match sign {
                "@" => {
                    let before = text.split(['-', ' ', '+']).nth(2).unwrap();
                    let (start, count) = before.split_once(',').unwrap_or((before, "1"));
                    let start = start.parse::<usize>().unwrap() - usize::from(count != "0");
                    new.extend(old[at..start].iter().copied());
                    at = start;
                }
                " " => {
                    assert_eq!(text, old[at]);
                    new.push_str(text);
                    at += 1;
                }
                "-" => {
                    assert_eq!(text, old[at]);
                    at += 1;
                }
                "+" => new.push_str(text),
                _ => {}
            }
        }
        new.extend(old[at..].iter().copied());
        new
    }

    #[test]
    fn a_change_has_its_line_numbers_and_three_lines_around_it() {
        let old: String = (1..=40).map(|n| format!("l{n}\n")).collect();
        let new = old.replace("l30\n", "L30\n");
        insta::assert_snapshot!(diff(Some(&old), &new), @r"
        --- a/w/a.txt
        +++ b/w/a.txt
        @@ -27,7 +27,7 @@
         l27
         l28
         l29
        -l30
        +L30
         l31
         l32
         l33
        ");
    }

    #[test]
    fn a_new_file_comes_from_nothing_and_a_missing_last_newline_is_told() {
        insta::assert_snapshot!(diff(None, "x\ny"), @r"
        --- /dev/null
        +++ b/w/a.txt
        @@ -0,0 +1,2 @@
        +x
        +y
        \ No newline at end of file
        ");
        insta::assert_snapshot!(diff(Some("one\ntwo"), "one\n2"), @r"
        --- a/w/a.txt
        +++ b/w/a.txt
        @@ -1,2 +1,2 @@
         one
        -two
        \ No newline at end of file
        +2
        \ No newline at end of file
        ");
        assert_eq!(diff(Some("same"), "same"), "");
        assert_eq!(diff(None, ""), "--- /dev/null\n+++ b/w/a.txt\n");
    }

    #[test]
    fn a_huge_change_is_told_in_short() {
        let old = "x\n".repeat(3_000_000);
        let new = "y\n".repeat(3_000_000);
        assert!(diff(Some(&old), &new).len() < 200);
        let many: String = (0..200_000).map(|n| format!("{n}\n")).collect();
        let cut = diff(None, &many);
        assert!(cut.len() < SHOWN + 100 && cut.ends_with("left out\n"));
    }

    proptest! {
        #[test]
        fn a_diff_leads_from_the_one_text_to_the_other(old in "([abc]{0,2}\n){0,30}[ab]?", new in "([abc]{0,2}\n){0,30}[ab]?") {
            prop_assert_eq!(applied(&old, &diff(Some(&old), &new)), new);
        }

        #[test]
        fn a_small_change_of_a_text_is_found(lines in proptest::collection::vec("[a-d]", 10..60), at in 0_usize..60, gone in 0_usize..4, put in "[xy\n]{0,4}") {
            let old = lines.join("\n");
            let start = at.min(old.len());
            let end = (start + gone).min(old.len());
            let new = format!("{}{put}{}", &old[..start], &old[end..]);
            let diff = diff(Some(&old), &new);
            prop_assert_eq!(applied(&old, &diff), new);
            prop_assert!(diff.lines().count() < 30);
        }
    }
}
