//! What types say of arguments that they refuse.

use std::collections::HashMap;
use std::num::{NonZeroI8, NonZeroU8};

use serde::Deserialize;
use serde_json::json;

use super::*;

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "it is decoded and not looked at")]
struct All {
    v: Option<Vec<i32>>,
    o: Option<Outer>,
    f: Option<Vec<Option<f32>>>,
    d: Option<f64>,
    n: Option<NonZeroU8>,
    m: Option<NonZeroI8>,
    map: Option<HashMap<u8, String>>,
    flags: Option<HashMap<bool, u8>>,
    pair: Option<(u8, u8)>,
    e: Option<External>,
    t: Option<Tagged>,
    ts: Option<Vec<Tagged>>,
    c: Option<char>,
    s: Option<String>,
    unit: Option<Unit>,
}

#[derive(Debug, Deserialize)]
struct Unit;

#[derive(Debug, Deserialize)]
#[allow(dead_code, reason = "it is decoded and not looked at")]
struct Outer {
    act: Inner,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "it is decoded and not looked at")]
struct Inner {
    y: u8,
}

#[derive(Debug, Deserialize, PartialEq)]
enum External {
    Unit,
    New(i8),
    Tuple(u8, f32),
    Struct { x: u8 },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[allow(dead_code, reason = "it is decoded and not looked at")]
enum Tagged {
    MoveTo { x: u8, y: u8 },
}

fn said(arguments: Value) -> String {
    let Value::Object(members) = &arguments else { panic!("{arguments}") };
    decode::<All>(members).map_or_else(|error| error.to_string(), |value| panic!("{arguments} became {value:?}"))
}

#[test]
fn a_type_that_refuses_a_value_names_the_whole_way_to_it() {
    for (arguments, expected) in [
        (
            json!({ "v": [1, 2_147_483_648_u32] }),
            "`v[1]`: expected an integer from -2147483648 to 2147483647, got 2147483648",
        ),
        (json!({ "o": { "act": { "y": 300 } } }), "`o.act.y`: expected an integer from 0 to 255, got 300"),
        (json!({ "o": { "act": { "y": -1 } } }), "`o.act.y`: expected an integer from 0 to 255, got -1"),
        (json!({ "o": { "act": {} } }), "`o.act.y`: missing, and it is required"),
        (json!({ "o": { "act": { "Y": 1 } } }), "`o.act.Y`: not known here; did you mean `y`?"),
        (json!({ "o": 7 }), "`o`: expected an object, got 7"),
        (json!({ "n": 0 }), "`n`: expected an integer from 1 to 255, got 0"),
        (json!({ "m": 0 }), "`m`: expected an integer from -128 to 127 other than 0, got 0"),
        (
            json!({ "map": { "7": "x", "300": "y" } }),
            "`map.300`: expected an integer from 0 to 255 as the key, got 300",
        ),
        (json!({ "map": { "x": "y" } }), "`map.x`: expected an integer from 0 to 255 as the key, got \"x\""),
        (json!({ "flags": { "true": 1, "no": 1 } }), "`flags.no`: expected true or false as the key, got \"no\""),
        (json!({ "pair": [1] }), "`pair`: expected an array of 2 items, got 1 item"),
        (json!({ "pair": [1, 2, 3] }), "`pair`: expected an array of at most 2 items, got 3 items"),
        (json!({ "pair": [1, "x"] }), "`pair[1]`: expected an integer from 0 to 255, got \"x\""),
        (json!({ "e": "Other" }), "`e`: expected one of \"Unit\", \"New\", \"Tuple\", \"Struct\", got \"Other\""),
        (json!({ "e": { "New": 300 } }), "`e.New`: expected an integer from -128 to 127, got 300"),
        (json!({ "e": "New" }), "`e`: expected an object {\"New\": …}, got \"New\""),
        (json!({ "e": { "Unit": 1 } }), "`e.Unit`: expected null, got 1"),
        (
            json!({ "e": { "Tuple": [1, 1e300] } }),
            "`e.Tuple[1]`: expected a number from -3.4028235e38 to 3.4028235e38, got 1e+300",
        ),
        (json!({ "e": { "Struct": { "x": 256 } } }), "`e.Struct.x`: expected an integer from 0 to 255, got 256"),
        // The type reads these twice, and forgets where it was.
        (json!({ "t": { "type": "move_to", "x": 1, "y": 999 } }), "`t.y`: expected an integer from 0 to 255, got 999"),
        (
            json!({ "ts": [{ "type": "move_to", "x": 1, "y": 1 }, { "type": "move_to", "x": 999, "y": 999 }] }),
            "`ts[1]`: expected an integer from 0 to 255, got 999",
        ),
        (json!({ "c": "xy" }), "`c`: expected a string of one character, got \"xy\""),
        (json!({ "s": [1] }), "`s`: expected a string, got an array"),
        (json!({ "unit": 1 }), "`unit`: expected null, got 1"),
    ] {
        assert_eq!(said(arguments.clone()), expected, "{arguments}");
    }
}

#[test]
fn a_float_that_is_too_large_for_its_type_is_refused() {
    for (arguments, place) in [(json!({ "f": [1e300] }), "f[0]"), (json!({ "f": [1.5, -3.5e38] }), "f[1]")] {
        let text = said(arguments);
        assert!(
            text.starts_with(&format!("`{place}`: expected a number from -3.4028235e38 to 3.4028235e38, got ")),
            "{text}"
        );
    }
    let error = decode_argument::<f32>("ratio", &json!(1e300)).unwrap_err().to_string();
    assert!(error.starts_with("`ratio`: expected a number from "), "{error}");
    assert_eq!(decode_argument::<f32>("ratio", &json!(f32::MAX)).unwrap(), f32::MAX);
    assert_eq!(decode_argument::<f32>("ratio", &json!(u64::MAX)).unwrap(), u64::MAX as f32);
    assert_eq!(decode_argument::<f64>("ratio", &json!(1e300)).unwrap(), 1e300);
}

#[test]
fn types_decode_as_they_do_with_serde_json() {
    for value in [
        json!("Unit"),
        json!({ "New": -3 }),
        json!({ "Tuple": [1, 2.5] }),
        json!({ "Struct": { "x": 7 } }),
        json!({ "Unit": null }),
    ] {
        assert_eq!(
            decode_argument::<External>("e", &value).unwrap(),
            External::deserialize(&value).unwrap(),
            "{value}"
        );
    }
    let map = json!({ "7": "x" });
    assert_eq!(decode_argument::<HashMap<u8, String>>("m", &map).unwrap()[&7], "x");
    assert_eq!(decode::<HashMap<u8, String>>(map.as_object().unwrap()).unwrap()[&7], "x");
    let any = json!({ "a": [1, -1, 1.5, null, true, "x", { "b": {} }] });
    assert_eq!(decode_argument::<Value>("v", &any).unwrap(), any);
    assert_eq!(decode_argument::<Option<u8>>("o", &Value::Null).unwrap(), None);
    assert_eq!(decode_argument::<u128>("u", &json!(u64::MAX)).unwrap(), u128::from(u64::MAX));
}
