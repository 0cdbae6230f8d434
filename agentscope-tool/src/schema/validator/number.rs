//! Numbers and equality as JSON Schema has them: exact, whatever mix of integers and floats is compared.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use serde_json::{Map, Number, Value};

/// Whether the number has no fraction, however it is written.
pub(crate) fn is_integer(number: &Number) -> bool {
    integer(number).is_some() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// The number as an integer, if it is held as one.
fn integer(number: &Number) -> Option<i128> {
    number.as_u64().map(i128::from).or_else(|| number.as_i64().map(i128::from))
}

/// Compares two numbers exactly; `None` only for a number outside of what a double holds.
pub(super) fn compare(left: &Number, right: &Number) -> Option<Ordering> {
    match (integer(left), integer(right)) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        (Some(a), None) => Some(compare_mixed(a, right.as_f64()?)),
        (None, Some(b)) => Some(compare_mixed(b, left.as_f64()?).reverse()),
        (None, None) => left.as_f64()?.partial_cmp(&right.as_f64()?),
    }
}

/// Compares an integer of at most 65 bits with a float, without rounding the integer.
fn compare_mixed(integer: i128, float: f64) -> Ordering {
    // Every such integer is smaller in size than 2^65, and a float below that has an exact whole part in an i128.
    const LIMIT: f64 = 36_893_488_147_419_103_232.0;
    if float >= LIMIT {
        return Ordering::Less;
    }
    if float <= -LIMIT {
        return Ordering::Greater;
    }
    let whole = float.trunc();
    integer.cmp(&(whole as i128)).then_with(|| 0.0_f64.partial_cmp(&(float - whole)).unwrap_or(Ordering::Equal))
}

/// Whether `number` is a multiple of `step`, a number above zero, both read as the decimals they are written as.
pub(super) fn is_multiple(number: &Number, step: &Number) -> bool {
    // A float that is whole and this small is an integer exactly.
    let whole = |number: &Number| {
        number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 1e18).map(|float| float as i128)
    };
    if let (Some(number), Some(step)) = (integer(number), integer(step).or_else(|| whole(step))) {
        return number % step == 0;
    }
    let (Some(number), Some(step)) = (number.as_f64(), step.as_f64()) else { return false };
    if step.fract() == 0.0 {
        return number.fract() == 0.0 && number % step == 0.0;
    }
    if number == 0.0 {
        return true;
    }
    let (Some((number, number_places)), Some((step, step_places))) = (decimal(number), decimal(step)) else {
        return false;
    };
    // number / step = number * 10^(step_places - number_places) / step
    let places = i64::from(step_places) - i64::from(number_places);
    if places >= 0 {
        let factor = power_of_ten_modulo(places.unsigned_abs(), step);
        return ((number % step) * factor).is_multiple_of(step);
    }
    // The divisor gets the zeros; once it is larger than the number, it cannot divide it.
    let divisor = u32::try_from(places.unsigned_abs())
        .ok()
        .and_then(|places| 10_u128.checked_pow(places))
        .and_then(|power| power.checked_mul(step));
    divisor.is_some_and(|divisor| number % divisor == 0)
}

/// `10^exponent` modulo `modulus`, a number of at most 57 bits, so that no product overflows.
fn power_of_ten_modulo(mut exponent: u64, modulus: u128) -> u128 {
    let (mut base, mut result) = (10 % modulus, 1 % modulus);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

/// The size of a float as the shortest decimal that stands for it: its digits and how many of them follow the point.
fn decimal(float: f64) -> Option<(u128, i32)> {
    let mut text = Scratch::default();
    write!(text, "{:e}", float.abs()).ok()?;
    let (digits, exponent) = text.as_str()?.split_once('e')?;
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let mantissa =
        digits.bytes().filter(u8::is_ascii_digit).fold(0_u128, |sum, digit| sum * 10 + u128::from(digit - b'0'));
    Some((mantissa, i32::try_from(fraction).ok()? - exponent.parse::<i32>().ok()?))
}

/// Room on the stack for the text of one float.
#[derive(Default)]
struct Scratch {
    bytes: [u8; 32],
    length: usize,
}

impl Scratch {
    fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes[..self.length]).ok()
    }
}

impl fmt::Write for Scratch {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.length + text.len();
        self.bytes.get_mut(self.length..end).ok_or(fmt::Error)?.copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}

/// Equality of JSON values: numbers by value (`1` is `1.0`), objects whatever the order of their keys.
pub(crate) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => compare(a, b) == Some(Ordering::Equal),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => equal_objects(a, b),
        _ => left == right,
    }
}

fn equal_objects(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    left.len() == right.len() && left.iter().all(|(key, value)| right.get(key).is_some_and(|other| equal(value, other)))
}

/// Whether no two items are equal.
pub(super) fn all_different(items: &[Value]) -> bool {
    /// Up to here comparing each with each is cheaper than sorting, and needs no memory.
    const SMALL: usize = 32;
    if items.len() <= SMALL {
        return items.iter().enumerate().all(|(index, item)| !items[..index].iter().any(|other| equal(item, other)));
    }
    let mut sorted: Vec<&Value> = items.iter().collect();
    sorted.sort_by(|a, b| order(a, b));
    sorted.windows(2).all(|pair| !matches!(pair, [a, b] if order(a, b) == Ordering::Equal))
}

/// The first two equal items that are found, by index.
pub(super) fn equal_pair(items: &[Value]) -> Option<(usize, usize)> {
    let mut sorted: Vec<(usize, &Value)> = items.iter().enumerate().collect();
    sorted.sort_by(|a, b| order(a.1, b.1).then(a.0.cmp(&b.0)));
    let pairs = sorted.windows(2).filter_map(|pair| match pair {
        [a, b] if order(a.1, b.1) == Ordering::Equal => Some((a.0, b.0)),
        _ => None,
    });
    pairs.min_by_key(|pair| pair.1)
}

/// Some total order in which exactly the equal values are equal.
fn order(left: &Value, right: &Value) -> Ordering {
    fn rank(value: &Value) -> u8 {
        match value {
            Value::Null => 0,
            Value::Bool(_) => 1,
            Value::Number(_) => 2,
            Value::String(_) => 3,
            Value::Array(_) => 4,
            Value::Object(_) => 5,
        }
    }
    fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
        let mut entries: Vec<_> = map.iter().collect();
        entries.sort_by_key(|(key, _)| *key);
        entries
    }
    match (left, right) {
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => compare(a, b).unwrap_or_else(|| a.to_string().cmp(&b.to_string())),
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Array(a), Value::Array(b)) => {
            let first = a.iter().zip(b).map(|(a, b)| order(a, b)).find(|order| order.is_ne());
            first.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        (Value::Object(a), Value::Object(b)) => {
            let pairs = sorted(a).into_iter().zip(sorted(b));
            let first = pairs.map(|(a, b)| a.0.cmp(b.0).then_with(|| order(a.1, b.1))).find(|order| order.is_ne());
            first.unwrap_or_else(|| a.len().cmp(&b.len()))
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn number(value: Value) -> Number {
        match value {
            Value::Number(number) => number,
            other => panic!("{other} is no number"),
        }
    }

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        for (left, right, expected) in [
            (json!(1), json!(1.0), Ordering::Equal),
            (json!(-0.0), json!(0), Ordering::Equal),
            (json!(u64::MAX), json!(u64::MAX as f64), Ordering::Less),
            (json!(i64::MIN), json!(i64::MIN as f64), Ordering::Equal),
            (json!(9_007_199_254_740_993_u64), json!(9_007_199_254_740_992.0), Ordering::Greater),
            (json!(1e300), json!(u64::MAX), Ordering::Greater),
            (json!(-1e300), json!(i64::MIN), Ordering::Less),
            (json!(-3), json!(-2.5), Ordering::Less),
            (json!(-2), json!(-2.5), Ordering::Greater),
        ] {
            assert_eq!(compare(&number(left.clone()), &number(right.clone())), Some(expected), "{left} {right}");
        }
    }

    #[test]
    fn multiples_are_those_of_the_decimals_as_written() {
        for (value, step, expected) in [
            (json!(0.3), json!(0.1), true),
            (json!(4.35), json!(0.01), true),
            (json!(4.355), json!(0.01), false),
            (json!(1e300), json!(0.1), true),
            (json!(1e-300), json!(0.1), false),
            (json!(7), json!(3.5), true),
            (json!(7.0), json!(7), true),
            (json!(0), json!(0.3), true),
            (json!(u64::MAX), json!(2), false),
            (json!(-2_940_427_636_856_209_309_i64), json!(2.0), false),
        ] {
            assert_eq!(is_multiple(&number(value.clone()), &number(step.clone())), expected, "{value} {step}");
        }
    }

    #[test]
    fn a_long_list_is_told_from_one_with_a_repetition() {
        let mut items: Vec<Value> = (0..100).map(|n| json!({ "n": n, "m": [n] })).collect();
        assert!(all_different(&items));
        items.push(json!({ "m": [7.0], "n": 7 }));
        assert!(!all_different(&items));
    }
}
