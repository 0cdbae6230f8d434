//! Patterns beside a comparison that is too simple to be wrong.

use proptest::prelude::*;

use super::*;

fn matches(pattern: &str, path: &str) -> bool {
    let pattern = Pattern::new(pattern).unwrap();
    let rest = match pattern.prefix.as_str() {
        "" => Some(path),
        prefix => path.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('/')),
    };
    rest.is_some_and(|rest| pattern.matches(rest.as_bytes()))
}

#[test]
fn each_construct_means_what_it_says() {
    for (pattern, yes, no) in [
        ("*.rs", "a.rs .rs ä.rs", "x/a.rs a.rsx a.RS"),
        ("?.txt", "é.txt a.txt", "ab.txt .txt x/.txt"),
        ("[ab]1", "a1 b1", "c1 ab1"),
        ("f[!0-9]", "fx fé", "f1 f f/"),
        ("f[^0-9]", "fx", "f1"),
        ("[]]", "]", "["),
        ("[a-]", "a -", "b"),
        (r"[\]x]", "] x", r"\"),
        ("[[:digit:]x]", "7 x", "d :"),
        ("[.-0]", ". 0", "/"),
        ("*.{ts,tsx}", "a.ts a.tsx", "a.js a.t"),
        ("{a,b{c,d}}", "a bc bd", "b ab"),
        ("{src,lib}/**/*.rs", "src/a.rs lib/x/y/a.rs", "a.rs srcs/a.rs"),
        ("{a/b,c}/d", "a/b/d c/d", "a/d b/d"),
        ("a{,b}", "a ab", "b"),
        ("**", "a a/b .x/y", ""),
        ("**/*", "a a/b", ""),
        ("a/**", "a/b a/b/c", "a ab/c"),
        ("a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb"),
        ("**/**/a", "a x/a x/y/a", "xa"),
        ("a**b", "ab axb", "a/b"),
        ("**a", "a ba", "x/a"),
        ("./a//b", "a/b", "b"),
        (r"a\*b", "a*b", "axb"),
        (r"\{a", "{a", "a"),
        ("a}", "a}", "a"),
        ("a,b", "a,b", "a"),
        ("(a|b)+.$^", "(a|b)+.$^", "a"),
        ("my*.txt", "my\u{a0}file", ""),
    ] {
        if pattern.starts_with("my") {
            assert!(matches(pattern, "my file (1).txt"));
            continue;
        }
        for path in yes.split(' ').filter(|path| !path.is_empty()) {
            assert!(matches(pattern, path), "{pattern} should match {path}");
        }
        for path in no.split(' ').filter(|path| !path.is_empty()) {
            assert!(!matches(pattern, path), "{pattern} should not match {path}");
        }
    }
}

#[test]
fn a_byte_that_is_not_utf8_is_one_character() {
    let pattern = Pattern::new("bad?.txt").unwrap();
    assert!(pattern.matches(b"bad\xff.txt") && !pattern.matches(b"bad.txt"));
}

#[test]
fn the_search_begins_where_the_names_are_plain() {
    for (pattern, root, depth) in [
        ("src/*/a.rs", "/w/src", Some(2)),
        ("a.rs", "/w", Some(1)),
        ("src/deep/a.rs", "/w/src/deep", Some(1)),
        ("**/a.rs", "/w", None),
        ("{a/b,c}", "/w", None),
        ("/etc/**", "/etc", None),
        ("/*", "/", Some(1)),
        ("./src/*", "/w/src", Some(1)),
    ] {
        let compiled = Pattern::new(pattern).unwrap();
        assert_eq!((compiled.root("/w").as_str(), compiled.depth()), (root, depth), "{pattern}");
    }
}

#[test]
fn what_is_wrong_with_a_pattern_is_said_with_its_place() {
    let patterns = [
        "",
        "/",
        "./",
        "../a",
        "a/../b",
        "ä{b",
        "a[b",
        "[z-a]",
        "a\\",
        "a\0b",
        &"{".repeat(40),
        &format!("{}a{}", "{".repeat(40), "}".repeat(40)),
    ];
    let errors: Vec<_> = patterns.iter().map(|pattern| Pattern::new(pattern).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

/// All texts that braces stand for.
fn expand(pattern: &str) -> Vec<String> {
    let Some(open) = pattern.find('{') else { return vec![pattern.into()] };
    let close = open + pattern[open..].find('}').unwrap();
    let expand_one = |part| expand(&format!("{}{part}{}", &pattern[..open], &pattern[close + 1..]));
    pattern[open + 1..close].split(',').flat_map(expand_one).collect()
}

fn naive_path(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern, path) {
        ([], path) => path.is_empty(),
        (["**"], path) => !path.is_empty(),
        (["**", rest @ ..], path) => (0..=path.len()).any(|skip| naive_path(rest, &path[skip..])),
        ([name, rest @ ..], [first, path @ ..]) => {
            let (name, first): (Vec<_>, Vec<_>) = (name.chars().collect(), first.chars().collect());
            naive_name(&name, &first) && naive_path(rest, path)
        }
        _ => false,
    }
}

fn naive_name(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], name) => name.is_empty(),
        (['*', rest @ ..], name) => (0..=name.len()).any(|skip| naive_name(rest, &name[skip..])),
        (['?', rest @ ..], [_, name @ ..]) => naive_name(rest, name),
        (['[', '!', no, ']', rest @ ..], [c, name @ ..]) => c != no && naive_name(rest, name),
        (['[', yes, also, ']', rest @ ..], [c, name @ ..]) => (c == yes || c == also) && naive_name(rest, name),
        (['\\', escaped, rest @ ..], [c, name @ ..]) => c == escaped && naive_name(rest, name),
        ([plain, rest @ ..], [c, name @ ..]) => !"?[\\".contains(*plain) && plain == c && naive_name(rest, name),
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn patterns_match_as_compared_by_hand(
        names in prop::collection::vec(
            prop_oneof![3 => "(a|b|é|\\*|\\?|\\.|\\[!a\\]|\\[ab\\]|\\\\\\*|\\{a,b\\}|\\{é\\*,a\\}){1,4}", 1 => Just("**".to_owned())], 1..4),
        path in prop::collection::vec("[abé*.]{1,4}", 1..4),
    ) {
        let pattern = names.join("/");
        prop_assume!(!names.iter().any(|name| name == ".."));
        let expected = expand(&pattern).iter().any(|pattern| {
            // `.` alone means the directory itself, but only where it is written.
            let names: Vec<_> = pattern.split('/').filter(|name| *name != ".").collect();
            naive_path(&names, &path.iter().map(String::as_str).collect::<Vec<_>>())
        });
        match Pattern::new(&pattern) {
            Ok(_) => prop_assert_eq!(matches(&pattern, &path.join("/")), expected, "{} {:?}", pattern, path),
            // Nothing but `.`.
            Err(error) => prop_assert_eq!(error.problem, Problem::Empty),
        }
    }

    #[test]
    fn no_text_makes_a_pattern_panic(pattern in any::<String>(), path in any::<Vec<u8>>()) {
        if let Ok(pattern) = Pattern::new(&pattern) {
            pattern.matches(&path);
        }
        let _ = Pattern::anywhere(&pattern);
    }
}
