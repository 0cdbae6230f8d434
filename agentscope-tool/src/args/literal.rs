//! Number literals: kept as they are written until the schema says what they are, and never rounded.

use serde_json::Number;

/// The number that a JSON number literal stands for, if it can be kept without losing a digit.
///
/// A float counts as kept when the shortest decimal that stands for it is the literal, leading and trailing zeros aside. It
/// is read by the standard library, which rounds correctly; `serde_json` may be off in the last digit.
pub(super) fn exact(literal: &str) -> Option<Number> {
    let number: Option<Number> = literal.parse().ok();
    if number.as_ref().is_some_and(|number| number.is_u64() || number.is_i64()) {
        return number;
    }
    let float: f64 = literal.parse().ok()?;
    let number = Number::from_f64(float)?;
    // Where two decimals are equally short and equally close, the standard library and `serde_json` differ.
    let shortest = [format!("{float:e}"), number.to_string()];
    let written = digits(literal)?;
    shortest.iter().any(|text| digits(text).as_ref() == Some(&written)).then_some(number)
}

/// The significant digits of a literal and the power of ten of the first one.
fn digits(literal: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let (whole, fraction) =
        mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa.trim_start_matches('-'), ""));
    let all = format!("{whole}{fraction}");
    let significant = all.trim_start_matches('0');
    if significant.is_empty() {
        return Some((String::new(), 0));
    }
    let leading = i64::try_from(all.len() - significant.len()).ok()?;
    let first = i64::try_from(whole.len()).ok()?.checked_sub(leading)?.checked_add(exponent.parse().ok()?)?;
    Some((significant.trim_end_matches('0').to_owned(), first))
}

/// Whether `text` is a JSON number from its first to its last character.
pub(super) fn is_number(text: &str) -> bool {
    length(text) == Some(text.len())
}

/// The length of the JSON number at the start of `text`; `None` if there is none.
pub(super) fn length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits_from = |start: usize| bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    match bytes.get(at)? {
        b'0' => at += 1,
        b'1'..=b'9' => at += digits_from(at),
        _ => return None,
    }
    if bytes.get(at) == Some(&b'.') {
        let count = digits_from(at + 1);
        if count == 0 {
            return None;
        }
        at += 1 + count;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let start = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let count = bytes.get(start..).map_or(0, |_| digits_from(start));
        if count == 0 {
            return None;
        }
        at = start + count;
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::{exact, is_number};

    #[test]
    fn numbers_that_would_lose_a_digit_are_not_kept() {
        for literal in [
            "0",
            "-0",
            "1.10",
            "3.0",
            "1e5",
            "1E+2",
            "0.1",
            "18446744073709551615",
            "-9223372036854775808",
            "1e300",
            "100000000000000000000",
            "5e-324",
            "0e999",
            "0.000",
            "1311966322122627.2",
        ] {
            assert!(exact(literal).is_some(), "{literal}");
        }
        for literal in [
            "12345678901234567890123",
            "1e999",
            "-1e999",
            "1e-999",
            "3.14159265358979323846",
            "9007199254740993.0",
            "0.1000000000000000055",
            "1e99999999999999999999",
        ] {
            assert!(exact(literal).is_none(), "{literal}");
        }
    }

    #[test]
    fn a_number_is_what_json_says_it_is() {
        for text in ["1", "-0.5e-3", "10"] {
            assert!(is_number(text), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "1e", "1e+", "0x1", "1_000", "1 ", "NaN", "١"] {
            assert!(!is_number(text), "{text}");
        }
    }
}
