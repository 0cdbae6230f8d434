//! What holds for any pattern and any path.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// A pattern in a form that a naive comparison reads.
#[derive(Clone, Debug)]
enum Part {
    Deep,
    Name(Vec<Piece>),
}

#[derive(Clone, Debug)]
enum Piece {
    Text(&'static str),
    Star,
    Question,
    Class(bool),
    Either(&'static str, &'static str),
}

fn write(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        text.push('/');
        match part {
            Part::Deep => text.push_str("**"),
            Part::Name(pieces) => {
                for piece in pieces {
                    match piece {
                        Piece::Text(plain) => text.push_str(plain),
                        Piece::Star => text.push('*'),
                        Piece::Question => text.push('?'),
                        Piece::Class(true) => text.push_str("[!a]"),
                        Piece::Class(false) => text.push_str("[ac]"),
                        Piece::Either(one, other) => text.push_str(&format!("{{{one},{other}}}")),
                    }
                }
            }
        }
    }
    text
}

fn naive(parts: &[Part], names: &[&str]) -> bool {
    match parts.split_first() {
        None => names.is_empty(),
        Some((Part::Deep, [])) => !names.is_empty(),
        Some((Part::Deep, rest)) => (0..=names.len()).any(|skip| naive(rest, &names[skip..])),
        Some((Part::Name(pieces), rest)) => {
            names.split_first().is_some_and(|(name, names)| naive_name(pieces, name) && naive(rest, names))
        }
    }
}

fn naive_name(pieces: &[Piece], name: &str) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return name.is_empty() };
    let after = |taken: &str| name.strip_prefix(taken).is_some_and(|name| naive_name(rest, name));
    let one = |fits: fn(char) -> bool| {
        name.chars().next().is_some_and(|c| fits(c) && naive_name(rest, &name[c.len_utf8()..]))
    };
    match piece {
        Piece::Text(plain) => after(plain),
        Piece::Star => (0..=name.len()).any(|at| name.is_char_boundary(at) && naive_name(rest, &name[at..])),
        Piece::Question => one(|_| true),
        Piece::Class(true) => one(|c| c != 'a'),
        Piece::Class(false) => one(|c| matches!(c, 'a' | 'c')),
        Piece::Either(one, other) => after(one) || after(other),
    }
}

fn any_parts() -> impl Strategy<Value = Vec<Part>> {
    let piece = prop_oneof![
        3 => select(vec!["a", "b", "é"]).prop_map(Piece::Text),
        1 => Just(Piece::Star),
        1 => Just(Piece::Question),
        1 => any::<bool>().prop_map(Piece::Class),
        1 => Just(Piece::Either("a", "bé")),
    ];
    let name = vec(piece, 1..4)
        .prop_filter("two stars", |pieces| !pieces.windows(2).any(|two| matches!(two, [Piece::Star, Piece::Star])));
    vec(prop_oneof![1 => Just(Part::Deep), 3 => name.prop_map(Part::Name)], 1..5)
}

fn any_path() -> impl Strategy<Value = String> {
    vec("[abé]{1,3}", 0..5).prop_map(|names| format!("/{}", names.join("/")))
}

/// Absolute and folded, with every character that a pattern knows.
fn any_special_path() -> impl Strategy<Value = String> {
    vec(r"[\[\]{}*?\\!^~,.a\-]{1,4}", 0..4).prop_map(|names| fold(&format!("/{}", names.join("/"))))
}

proptest! {
    #[test]
    fn a_pattern_matches_what_a_naive_comparison_matches(parts in any_parts(), path in any_path()) {
        let pattern = pattern(&write(&parts));
        let base = pattern.bases(&[], None).remove(0);
        let expected = naive(&parts, &names(&path).collect::<Vec<_>>());
        prop_assert_eq!(pattern.matches(&base, &path), expected);
        prop_assert!(!expected || pattern.hits(&base, &path));
    }

    #[test]
    fn a_covered_tree_holds_nothing_that_is_not_matched(parts in any_parts(), tree in any_path(), below in any_path()) {
        let pattern = pattern(&write(&parts));
        let base = pattern.bases(&[], None).remove(0);
        let path = fold(&format!("{tree}{below}"));
        for root_too in [false, true] {
            if pattern.covers_tree(&base, &tree, root_too) && (root_too || path != tree) {
                prop_assert!(pattern.matches(&base, &path), "{} of {}", path, tree);
            }
        }
    }

    #[test]
    fn a_hit_in_a_tree_means_that_it_may_be_touched(parts in any_parts(), tree in any_path(), below in any_path()) {
        let pattern = pattern(&write(&parts));
        let base = pattern.bases(&[], None).remove(0);
        if pattern.hits(&base, &fold(&format!("{tree}{below}"))) {
            prop_assert!(pattern.may_touch_tree(&base, &tree));
        }
    }

    #[test]
    fn an_escaped_path_matches_itself_and_nothing_else(path in any_special_path(), other in any_special_path()) {
        let escaped = pattern(&escape(&path));
        let bases = escaped.bases(&["/w"], Some("/home/u"));
        prop_assert_eq!(&bases, std::slice::from_ref(&path));
        prop_assert!(escaped.matches(&path, &path));
        prop_assert_eq!(escaped.matches(&path, &other), path == other);
    }

    #[test]
    fn any_text_is_a_pattern_or_an_error_inside_of_it(content in any::<String>()) {
        check_parse(&content)?;
    }

    #[test]
    fn any_special_text_is_a_pattern_or_an_error_inside_of_it(content in r"[\[\]{}*?\\!^~,./:a\-é]{0,12}") {
        check_parse(&content)?;
    }

    #[test]
    fn a_folded_path_stays_as_it_is(path in any::<String>(), dotted in "[./a]{0,12}") {
        for path in [path, dotted] {
            let folded = fold(&path);
            prop_assert_eq!(fold(&folded), &*folded);
            prop_assert!(folded.starts_with('/') && !names(&folded).any(|name| matches!(name, "." | "..")));
        }
    }
}

fn check_parse(content: &str) -> Result<(), TestCaseError> {
    match PathPattern::parse(content) {
        Ok(pattern) => {
            for base in pattern.bases(&["/w"], Some("/home/u")) {
                prop_assert_eq!(fold(&base), &*base);
                prop_assert!(pattern.may_touch_tree(&base, "/"));
            }
        }
        Err(error) => {
            prop_assert!(error.position() <= content.len() && content.is_char_boundary(error.position()));
        }
    }
    Ok(())
}
