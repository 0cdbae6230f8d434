//! What is said about a text that was not found.

use super::*;

const TEXT: &str =
    "fn main() {\n\tlet name = “Ada”;\n\tgreet(name);\n}\n\nfn greet(name: &str) {\n\tprintln!(\"{name}\");\n}\n";

#[test]
fn each_difference_has_words_and_the_lines_are_shown_as_they_are() {
    let said: Vec<String> = [
        "    greet(name);",
        "     3\t\tgreet(name);",
        "let name = \"Ada\";",
        "FN GREET",
        "{\\n\\tlet",
        "    let name = \"ada\";\n    greet(name);",
        "fn greet(name: &str) {\n\tprint!(\"{name}\");\n}",
        "fn great(nam: &String)",
        "something else altogether",
        " \t ",
    ]
    .iter()
    .map(|old| format!("{old:?}{}", explain(TEXT, old)))
    .collect();
    insta::assert_snapshot!(said.join("\n\n"));
}

#[test]
fn several_places_are_counted() {
    assert!(explain("\ta b\n\ta b\n\ta b\n", "a  b").starts_with(": it would be found at line 1 and 2 more places if"));
}

#[test]
fn an_empty_and_a_huge_file_are_said_to_be_so() {
    assert_eq!(explain("", "x"), ": the file is empty");
    let huge = "x".repeat(MAX_BYTES + 1);
    assert!(not_found("/a", huge.as_bytes(), TextFormat::PLAIN, "y").contains("Grep"));
}

#[test]
fn long_lines_and_long_places_are_cut() {
    let text = format!("{}\n", "word ".repeat(1000)).repeat(100);
    let said = explain(&text, &text.replace(' ', "  "));
    assert!(said.len() < 3000, "{}", said.len());
}

#[test]
fn the_worst_texts_take_no_long_time() {
    let start = std::time::Instant::now();
    let same = "the same line\n".repeat(100_000);
    explain(&same, &format!("{}x", "the same line\n".repeat(10_000)));
    explain(&"ab".repeat(1_000_000), &format!("{}c", "ab".repeat(100_000)));
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

proptest::proptest! {
    #[test]
    fn anything_can_be_explained(text in "[ab\\\\n1\t \n“é]{0,60}", old in "[ab\\\\n1\t \n“é]{1,20}") {
        explain(&text, &old);
    }
}
