//! What an edit makes of bytes of all kinds.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

const LIMIT: usize = 1 << 30;

fn args(old: &str, new: &str, replace_all: bool) -> EditArgs {
    EditArgs { file_path: "/w/a".into(), old_string: old.into(), new_string: new.into(), replace_all }
}

fn replaced(bytes: impl AsRef<[u8]>, args: &EditArgs, limit: usize) -> Result<Edited, ToolError> {
    replace("/w/a", Bytes::copy_from_slice(bytes.as_ref()), args, limit)
}

#[track_caller]
fn edited(bytes: &[u8], old: &str, new: &str) -> Vec<u8> {
    replaced(bytes, &args(old, new, false), LIMIT).unwrap().content.into()
}

#[track_caller]
fn refused(bytes: &[u8], old: &str, new: &str, replace_all: bool) -> String {
    replaced(bytes, &args(old, new, replace_all), LIMIT).unwrap_err().to_string()
}

fn utf16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn only_the_named_lines_of_a_mixed_file_change() {
    assert_eq!(edited(b"one\r\ntwo\nthree\r\n", "one\ntwo\n", "ONE\ntwo\n"), b"ONE\r\ntwo\nthree\r\n");
    assert_eq!(edited(&utf16("a\r\nb\nc\r\n"), "a\nb\n", "0\na\nb\n"), utf16("0\r\na\r\nb\nc\r\n"));
}

#[test]
fn a_broken_utf16_file_keeps_what_is_broken() {
    let broken = [utf16("one two\n").as_slice(), &[0x00, 0xd8, 0x0a]].concat();
    let expected = [utf16("one 2\n").as_slice(), &[0x00, 0xd8, 0x0a]].concat();
    assert_eq!(edited(&broken, "two", "2"), expected);
}

#[test]
fn the_mark_at_the_start_stays_one() {
    let marked = "\u{feff}using A;\n".as_bytes();
    for (old, new) in [("using A;", "using B;"), ("\u{feff}using A;", "using B;"), ("using A;", "\u{feff}using B;")] {
        assert_eq!(edited(marked, old, new), "\u{feff}using B;\n".as_bytes());
    }
    assert!(refused(marked, "\u{feff}", "x", false).contains("was not found"));
}

#[test]
fn places_that_overlap_and_changes_without_effect_are_refused() {
    assert!(refused(b"aaa", "aa", "b", false).contains("at places that overlap"));
    assert!(refused(b"a\r\nb", "a\nb", "a\r\nb", false).contains("as it is"));
    assert!(refused(b"a\nb", "a\r\nb", "a\nb", true).contains("as it is"));
}

#[test]
fn a_result_that_is_too_large_is_refused() {
    let result = replaced([b'a'; 1000], &args("a", &"b".repeat(1000), true), 10_000);
    assert!(result.unwrap_err().to_string().contains("more than 10000 bytes"));
}

#[test]
fn very_many_places_in_one_line_take_no_long_time() {
    let start = Instant::now();
    let result = replaced(vec![b'a'; 500_000], &args("a", "b", true), LIMIT).unwrap();
    assert_eq!((result.occurrences, result.diff.is_complete), (500_000, false));
    assert!(result.content.iter().all(|byte| *byte == b'b'));
    let mixed = "a\r\nb\n".repeat(50_000);
    let result = replaced(mixed.as_bytes(), &args("a\nb", "a\nx\nb", true), LIMIT).unwrap();
    assert_eq!(result.content.as_ref(), "a\r\nx\nb\n".repeat(50_000).as_bytes());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn the_diff_shows_text_of_every_encoding_with_its_line_numbers() {
    let lines: String = (1..=20).map(|line| format!("l{line}\r\n")).collect();
    let diff = replaced(utf16(&lines), &args("l10\n", "é\n", false), LIMIT).unwrap().diff;
    assert!(diff.text.contains("@@ -7,7 +7,7 @@\n l7\r\n l8\r\n l9\r\n-l10\r\n+é\r\n l11\r\n"), "{}", diff.text);
    let latin = replaced(b"nom: Ren\xe9\nx\n", &args("x", "y", false), LIMIT).unwrap().diff;
    assert!(latin.text.contains(" nom: René\n-x\n+y\n"), "{}", latin.text);
}

/// Text with all kinds of line ends, and bytes that are no UTF-8.
fn anything() -> impl Strategy<Value = Vec<u8>> {
    let pieces: [&[u8]; 8] = [b"a", b"b ", b"\n", b"\r\n", b"\r", b"\xc3\xa9", b"\xe9", b"\xff\x80"];
    let piece = proptest::sample::select(pieces.to_vec());
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn one_place_is_changed_as_all_are(
        before in "([ab]{0,2}\r?\n){0,9}[ab]?",
        old in "[ab]?\n?X[ab]?\n?",
        after in "[ab]?(\r?\n[ab]{0,2}){0,9}\n?",
        new in "[xy\n]{0,4}",
        wide in any::<bool>(),
    ) {
        let text = format!("{before}{old}{after}");
        let content = if wide { utf16(&text) } else { text.into_bytes() };
        let one = replaced(&content, &args(&old, &new, false), LIMIT);
        let all = replaced(&content, &args(&old, &new, true), LIMIT);
        match (one, all) {
            (Ok(one), Ok(all)) => {
                prop_assert_eq!(one.content, all.content);
                prop_assert_eq!(one.diff, all.diff);
            }
            (one, all) => prop_assert_eq!(one.map(drop).map_err(|e| e.to_string()), all.map(drop).map_err(|e| e.to_string())),
        }
    }

    #[test]
    fn all_places_change_and_nothing_else(
        parts in proptest::collection::vec("[ab é\r\n]{0,8}", 1..6),
        new in "[bc\r]{0,4}",
        wide in any::<bool>(),
    ) {
        let file = |text: &str| if wide { utf16(text) } else { text.as_bytes().to_vec() };
        let content = file(&format!(" {}", parts.join("<>")));
        let result = replaced(&content, &args("<>", &new, true), LIMIT);
        if parts.len() == 1 {
            prop_assert!(result.is_err());
        } else {
            let result = result.unwrap();
            prop_assert_eq!(result.content.as_ref(), file(&format!(" {}", parts.join(&new))));
            prop_assert_eq!(result.occurrences, parts.len() - 1);
        }
    }

    #[test]
    fn around_the_place_every_byte_stays(before in anything(), after in anything(), new in "[xy\n]{0,5}") {
        let content = [before.as_slice(), b"<HERE>", &after].concat();
        // In an encoding of several bytes, the place may begin in the middle of a character; then nothing changes.
        if let Ok(edited) = replaced(&content, &args("<HERE>", &new, false), LIMIT) {
            prop_assert!(edited.content.starts_with(&before) && edited.content.ends_with(&after));
            let middle = &edited.content[before.len()..edited.content.len() - after.len()];
            prop_assert_eq!(String::from_utf8_lossy(middle).replace("\r\n", "\n"), new);
        }
    }
}
