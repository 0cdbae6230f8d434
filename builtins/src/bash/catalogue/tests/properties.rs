//! What holds for any argv.

use proptest::prelude::*;

use super::*;

/// Pieces that make up commands which are nearly right.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,3}",
        "-[a-zA-Z0-9]{1,3}",
        "--[a-z-]{1,8}(=[a-z/*]{0,4})?",
        Just("{}".to_owned()),
        Just(";".to_owned()),
        Just("+".to_owned()),
        Just("--".to_owned()),
        Just("-".to_owned()),
        Just("".to_owned()),
        Just("!".to_owned()),
        "\\PC{0,12}",
    ]
}

fn program() -> impl Strategy<Value = String> {
    let names: Vec<String> = BUILT_IN.table.programs.keys().cloned().collect();
    proptest::sample::select(names)
}

proptest! {
    #[test]
    fn no_argv_makes_it_panic(name in program(), pieces in proptest::collection::vec(piece(), 0..8)) {
        let argv: Vec<Word> = std::iter::once(name).chain(pieces).map(Word::text).collect();
        judge(&argv);
    }

    #[test]
    fn no_text_makes_the_small_languages_panic(text in "\\PC{0,40}", format in any::<String>()) {
        sed::read(&text);
        awk::only_prints(&text);
        let _ = format::read(&format);
    }

    #[test]
    fn an_option_that_nobody_knows_is_never_read_only(
        name in program(),
        before in proptest::collection::vec("[a-z]{1,3}", 0..2),
        after in proptest::collection::vec("[a-z]{1,3}", 0..2),
    ) {
        let entries = &BUILT_IN.table.programs[&name].entries;
        // Those take every word as it is, or run what follows.
        let takes_all = entries.iter().any(|entry| entry.shape.bare || entry.shape.ordered);
        prop_assume!(!takes_all && name != "test" && name != "[");
        for entry in entries {
            let words = [name.clone()].into_iter().chain(entry.subs.clone()).chain(before.clone());
            let argv: Vec<Word> = words.chain(["--no-such-option".to_owned()]).chain(after.clone()).map(Word::text).collect();
            prop_assert_ne!(judge(&argv).verdict, Verdict::ReadOnly);
        }
    }

    #[test]
    fn a_value_that_nobody_knows_is_no_option_in_disguise(
        name in program(),
        after in proptest::collection::vec("[a-z]{1,3}", 0..2),
    ) {
        let entries = &BUILT_IN.table.programs[&name].entries;
        let takes_all = entries.iter().any(|entry| entry.shape.bare || entry.shape.ordered || entry.shape.loose);
        prop_assume!(!takes_all && name != "test" && name != "[");
        for entry in entries {
            let words = [name.clone()].into_iter().chain(entry.subs.clone()).map(Word::text);
            let argv: Vec<Word> =
                words.chain([words::unknown("X", true)]).chain(after.iter().cloned().map(Word::text)).collect();
            prop_assert_ne!(judge(&argv).verdict, Verdict::ReadOnly);
        }
    }
}
