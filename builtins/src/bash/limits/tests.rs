//! Tests of what is refused before anything is read.

use super::*;

fn kind(text: &str) -> Option<FaultKind> {
    screen(text).err().map(|fault| fault.kind)
}

#[test]
fn control_characters_are_refused() {
    for c in ['\0', '\r', '\x08', '\x0B', '\x0C', '\x1B', '\x7F', '\u{85}', '\u{9B}'] {
        assert_eq!(kind(&format!("ls{c}-la")), Some(FaultKind::ControlCharacter(c.into())));
    }
    assert_eq!(kind("ls\t-la\n"), None);
}

#[test]
fn blanks_that_are_none_and_invisible_characters_are_refused() {
    for c in "\u{A0}\u{AD}\u{2000}\u{2028}\u{3000}\u{200B}\u{200D}\u{202E}\u{2066}\u{FEFF}\u{3164}\u{E0041}".chars() {
        assert_eq!(kind(&format!("echo é{c}x")), Some(FaultKind::InvisibleCharacter(c.into())), "{c:?}");
    }
}

#[test]
fn letters_of_all_languages_and_emoji_are_accepted() {
    assert_eq!(kind("git commit -m 'naïve — ü 日本語 ❯ 🎉'"), None);
    assert_eq!(kind("echo ⚠\u{FE0F} done"), None);
    assert_eq!(kind("echo a\u{FE0F}"), Some(FaultKind::InvisibleCharacter(0xFE0F)));
    assert_eq!(kind("\u{FE0F}"), Some(FaultKind::InvisibleCharacter(0xFE0F)));
}

#[test]
fn the_fault_names_the_place() {
    assert_eq!(screen("echo é\u{200B}x").map_err(|fault| fault.span), Err(Span { start: 7, end: 10 }));
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    assert_eq!(kind(&"x".repeat(MAX_BYTES)), None);
    assert_eq!(kind(&"x".repeat(MAX_BYTES + 1)), Some(FaultKind::TooLong));
}
