//! Diffs as people and programs read them.

use proptest::prelude::*;

use super::*;

fn diff(old: &str, new: &str) -> Diff {
    let sides = Sides { old: old.as_bytes(), new: new.as_bytes(), format: TextFormat::PLAIN, lines_before: 0 };
    Changes::between(sides.old, sides.new, Unit::Byte).diff(Some("/w/a"), "/w/a", sides)
}

/// The hunks alone.
#[track_caller]
fn hunks(old: &str, new: &str) -> String {
    let text = diff(old, new).text;
    text.strip_prefix("--- a/w/a\n+++ b/w/a\n").expect("headers").to_owned()
}

/// Does what a diff says.
fn apply(old: &str, hunks: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in hunks.split_inclusive('\n') {
        if line.starts_with('\\') {
            lines.last_mut().unwrap().pop();
        } else {
            lines.push(line.to_owned());
        }
    }
    let old: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut new, mut at) = (String::new(), 0);
    for line in &lines {
        match line.split_at(1) {
            ("@", _) => {
                let from = line.split(['-', ' ', ',']).nth(2).unwrap().parse::<usize>().unwrap();
                let empty = line.contains(",0 +");
                let from = if empty { from } else { from - 1 };
                new.extend(old[at..from].iter().copied());
                at = from;
            }
            ("+", text) => new.push_str(text),
            (sign, text) => {
                assert_eq!(old[at], text);
                at += 1;
                if sign == " " {
                    new.push_str(text);
                }
            }
        }
    }
    new.extend(old[at..].iter().copied());
    new
}

#[test]
fn a_changed_line_stands_between_three_lines_of_context() {
    let old: String = (1..=40).map(|line| format!("l{line}\n")).collect();
    let new = old.replace("l30\n", "L30\n");
    let expected = "@@ -27,7 +27,7 @@\n l27\n l28\n l29\n-l30\n+L30\n l31\n l32\n l33\n";
    assert_eq!(hunks(&old, &new), expected);
}

#[test]
fn a_missing_last_line_end_is_said() {
    let note = "\\ No newline at end of file\n";
    assert_eq!(hunks("1\n2", "1\ntwo"), format!("@@ -1,2 +1,2 @@\n 1\n-2\n{note}+two\n{note}"));
    assert_eq!(hunks("1\n2", "1\n2\n"), format!("@@ -1,2 +1,2 @@\n 1\n-2\n{note}+2\n"));
    assert_eq!(hunks("1\n2", "one\n2"), format!("@@ -1,2 +1,2 @@\n-1\n+one\n 2\n{note}"));
}

#[test]
fn emptied_and_filled_files_have_a_side_without_lines() {
    assert_eq!(hunks("a\n", ""), "@@ -1 +0,0 @@\n-a\n");
    assert_eq!(hunks("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b\n");
}

#[test]
fn a_new_file_comes_from_nowhere_and_an_unchanged_one_has_no_diff() {
    let sides = Sides { old: b"", new: b"x\n", format: TextFormat::PLAIN, lines_before: 0 };
    let new = Changes::between(b"", b"x\n", Unit::Byte).diff(None, "/w/a", sides);
    assert_eq!(new.text, "--- /dev/null\n+++ b/w/a\n@@ -0,0 +1 @@\n+x\n");
    let sides = Sides { new: b"", ..sides };
    assert_eq!(Changes::new(Unit::Byte).diff(None, "/w/a", sides).text, "--- /dev/null\n+++ b/w/a\n");
    assert_eq!(diff("same\n", "same\n"), Diff { text: String::new(), is_complete: true });
}

#[test]
fn carriage_returns_are_shown() {
    assert_eq!(hunks("1\r\n2\r\n", "1\n2\r\n"), "@@ -1,2 +1,2 @@\n-1\r\n+1\n 2\r\n");
}

#[test]
fn paths_are_written_as_git_writes_them() {
    assert_eq!(header('b', "//srv/a b"), "b/srv/a b");
    assert_eq!(header('a', "/srv/\"x\"\n\u{1}é"), "\"a/srv/\\\"x\\\"\\n\\001é\"");
}

#[test]
fn a_diff_of_everything_is_cut_at_a_line_and_says_so() {
    let lines = |word: &str| (0..400_000).map(|line| format!("{word} {line}\n")).collect::<String>();
    for new in [lines("new"), String::new()] {
        let cut = diff(&lines("old"), &new);
        assert!(!cut.is_complete);
        assert!(cut.text.len() < MAX_BYTES + 200 && cut.text.len() > MAX_BYTES / 4, "{}", cut.text.len());
        let removed = cut.text.lines().filter(|line| line.starts_with("-old")).count();
        assert!(cut.text.contains(&format!("@@ -1,{removed} +")), "{}", &cut.text[..80]);
    }
    let line = "x".repeat(2 * MAX_BYTES);
    assert!(!diff(&line, "y").is_complete);
}

#[test]
fn many_places_are_shown_as_far_as_there_is_room() {
    let mut old = String::new();
    let mut changes = Changes::new(Unit::Byte);
    let mut places = Vec::new();
    for line in 0..100_000 {
        places.push(old.len());
        old.push_str(&format!("a {line}\n"));
        old.push_str(&"-\n".repeat(10));
    }
    for place in places {
        changes.push(old.as_bytes(), place..place + 1, place..place + 1);
    }
    let new = old.replace('a', "b");
    let sides = Sides { old: old.as_bytes(), new: new.as_bytes(), format: TextFormat::PLAIN, lines_before: 0 };
    let diff = changes.diff(Some("/w/a"), "/w/a", sides);
    assert!(!diff.is_complete && diff.text.len() <= MAX_BYTES + 200);
    assert!(diff.text.contains("@@ -20,7 +20,7 @@\n --\n") || diff.text.contains("\n-a 1\n+b 1\n"));
}

#[test]
fn no_text_takes_a_long_time() {
    let start = std::time::Instant::now();
    let old = "a\nb\n".repeat(60_000);
    assert!(!diff(&old, &"a\nx\nb\n".repeat(60_000)).is_complete);
    let numbers = |step: usize| (0..90_000).map(|line| format!("{}\n", line / step)).collect::<String>();
    assert!(diff(&numbers(1), &format!("0\nnew\n{}", &numbers(1)[2..].replace("\n80000\n", "\n"))).is_complete);
    diff(&numbers(1), &numbers(2));
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn a_diff_does_to_the_old_text_what_was_done(
        old in "([ab]{0,2}\r?\n){0,30}[ab]?",
        new in "([ab]{0,2}\r?\n){0,30}[ab]?",
    ) {
        let diff = diff(&old, &new);
        prop_assert!(diff.is_complete);
        let hunks = diff.text.strip_prefix("--- a/w/a\n+++ b/w/a\n").unwrap_or_default();
        prop_assert_eq!(apply(&old, hunks), new);
    }

    #[test]
    fn known_places_give_the_diff_of_the_whole(
        old in "([abx]{0,2}\n){0,60}",
        to in "[b\n]{0,3}",
    ) {
        let new = old.replace('x', &to);
        let mut changes = Changes::new(Unit::Byte);
        for (index, (at, _)) in old.match_indices('x').enumerate() {
            let start = at - index + index * to.len();
            changes.push(old.as_bytes(), at..at + 1, start..start + to.len());
        }
        let sides = Sides { old: old.as_bytes(), new: new.as_bytes(), format: TextFormat::PLAIN, lines_before: 0 };
        let diff = changes.diff(Some("/w/a"), "/w/a", sides);
        let hunks = diff.text.strip_prefix("--- a/w/a\n+++ b/w/a\n").unwrap_or_default();
        prop_assert_eq!(apply(&old, hunks), new);
    }
}
