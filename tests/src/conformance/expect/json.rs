//! JSON that is as expected.

use serde_json::Value;

/// JSON equality, in which `3` and `3.0` are one number.
pub(in crate::conformance) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(x, y)| equal(x, y)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, x)| y.get(key).is_some_and(|y| equal(x, y)))
        }
        _ => a == b,
    }
}

/// Every expected entry is there; `null` stands for an entry that is not there.
pub(super) fn contains(expected: &Value, value: &Value) -> bool {
    expected.as_object().is_some_and(|entries| {
        entries.iter().all(|(key, expected)| equal(expected, value.get(key).unwrap_or(&Value::Null)))
    })
}

/// Every block has the expected entries, in order.
pub(super) fn blocks_match(expected: &Value, blocks: &Value) -> bool {
    match (expected.as_array(), blocks.as_array()) {
        (Some(expected), Some(blocks)) => {
            expected.len() == blocks.len()
                && expected.iter().zip(blocks).all(|(expected, block)| contains(expected, block))
        }
        _ => false,
    }
}
