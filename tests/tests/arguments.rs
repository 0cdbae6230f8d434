//! The way from a model's text to checked arguments, over generated JSON and generated faults.

use agentscope_tool::args::{ArgumentError, CutOff, Parsed, check, parse};
use agentscope_tool::schema::Validator;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

fn any_text() -> BoxedStrategy<String> {
    prop_oneof![
        4 => "[a-zA-Z0-9 _.-]{0,12}",
        2 => "[a-z \"\\\\{}\\[\\],:'\n\t/#]{0,14}",
        1 => any::<String>(),
        1 => select(vec!["null", "true", "7", "{\"a\": 1}", "[1]", "C:\\dir\\w+", "it's", "say \"hi\" now", "```", "// no comment", "\u{feff}", "😀"]).prop_map(str::to_owned),
    ]
    .boxed()
}

fn key() -> BoxedStrategy<String> {
    prop_oneof![8 => "[a-z_][a-z0-9_]{0,6}", 1 => any_text()].boxed()
}

fn leaf(text: BoxedStrategy<String>) -> BoxedStrategy<Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        2 => any::<i64>().prop_map(Value::from),
        1 => any::<u64>().prop_map(Value::from),
        2 => (-100_i32..100).prop_map(Value::from),
        2 => any::<f64>().prop_filter_map("JSON has finite numbers only", |float| serde_json::Number::from_f64(float).map(Value::Number)),
        5 => text.prop_map(Value::from),
    ]
    .boxed()
}

fn json_value(text: fn() -> BoxedStrategy<String>, key: fn() -> BoxedStrategy<String>) -> BoxedStrategy<Value> {
    leaf(text())
        .prop_recursive(4, 24, 4, move |inner| {
            prop_oneof![
                vec(inner.clone(), 0..4).prop_map(Value::from),
                btree_map(key(), inner, 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
        .boxed()
}

fn json_object(text: fn() -> BoxedStrategy<String>, key: fn() -> BoxedStrategy<String>) -> BoxedStrategy<Value> {
    btree_map(key(), json_value(text, key), 0..5)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
        .boxed()
}

fn refusing(text: &str) -> Result<Parsed, ArgumentError> {
    parse(text, &Validator::any(), CutOff::Refuse)
}

#[allow(clippy::unwrap_used)] // They are good schemas.
fn schemas() -> Vec<Validator> {
    let schemas = [
        json!({ "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "integer" }, "c": { "type": "array", "items": { "type": "string" } } }, "required": ["a"] }),
        json!({ "type": "object", "additionalProperties": { "anyOf": [{ "type": "number" }, { "type": "array", "items": { "$ref": "#" } }, { "$ref": "#" }, { "type": "null" }] } }),
        json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/Deep" }, "$defs": { "Deep": { "type": "array", "items": { "$ref": "#/$defs/Deep" } } } }),
    ];
    schemas.iter().map(|schema| Validator::closed(schema).unwrap()).chain([Validator::any()]).collect()
}

/// JSON by the book, except for one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    Fence,
    TildeFence,
    OpenFence,
    ByteOrderMark,
    SingleQuotes,
    TrailingCommas,
    UnquotedKeys,
    PythonLiterals,
    Comments,
    MissingCommas,
    RawControls,
    SingleBackslashes,
    InnerQuotes,
    DoubleEncoded,
}

const FAULTS: &[Fault] = &[
    Fault::None,
    Fault::Fence,
    Fault::TildeFence,
    Fault::OpenFence,
    Fault::ByteOrderMark,
    Fault::SingleQuotes,
    Fault::TrailingCommas,
    Fault::UnquotedKeys,
    Fault::PythonLiterals,
    Fault::Comments,
    Fault::MissingCommas,
    Fault::RawControls,
    Fault::SingleBackslashes,
    Fault::InnerQuotes,
    Fault::DoubleEncoded,
];

impl Fault {
    fn write(self, value: &Value) -> String {
        let mut text = String::new();
        self.value(value, &mut text);
        match self {
            Fault::Fence => format!("```json\n{text}\n```"),
            Fault::TildeFence => format!("\n~~~~ JSON5\n{text}\n~~~~\n"),
            Fault::OpenFence => format!("```\n{text}"),
            Fault::ByteOrderMark => format!("\u{feff}{text}"),
            Fault::DoubleEncoded => Value::String(text).to_string(),
            _ => text,
        }
    }

    fn value(self, value: &Value, out: &mut String) {
        match value {
            Value::Null if self == Fault::PythonLiterals => out.push_str("None"),
            Value::Bool(true) if self == Fault::PythonLiterals => out.push_str("True"),
            Value::Bool(false) if self == Fault::PythonLiterals => out.push_str("False"),
            Value::String(text) => self.text(text, false, out),
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    self.value(item, out);
                }
                self.end(items.is_empty(), ']', out);
            }
            Value::Object(members) => {
                out.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    out.push_str(match self {
                        _ if index == 0 => "",
                        Fault::MissingCommas => "\n",
                        Fault::Comments => ", // \"one\": {\n /* two ] */ # three\n",
                        _ => ", ",
                    });
                    let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic())
                        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
                    if self == Fault::UnquotedKeys && is_name {
                        out.push_str(key)
                    } else {
                        self.text(key, true, out)
                    }
                    out.push_str(": ");
                    self.value(member, out);
                }
                self.end(members.is_empty(), '}', out);
            }
            other => out.push_str(&other.to_string()),
        }
    }

    fn end(self, is_empty: bool, bracket: char, out: &mut String) {
        out.push_str(if self == Fault::TrailingCommas && !is_empty { " ,\n" } else { "" });
        out.push(bracket);
    }

    fn text(self, text: &str, is_key: bool, out: &mut String) {
        let quoted = Value::String(text.to_owned()).to_string();
        let inner = &quoted[1..quoted.len() - 1];
        match self {
            Fault::SingleQuotes => {
                out.push_str(&format!("'{}'", inner.replace('\'', "\\'").replace("\\\"", "\"")));
            }
            Fault::RawControls => {
                let raw = inner.replace("\\n", "\n").replace("\\t", "\t");
                // A backslash that is escaped itself escapes nothing.
                out.push_str(&format!("\"{}\"", if inner.contains("\\\\") { inner } else { &raw }));
            }
            Fault::InnerQuotes if !is_key => out.push_str(&format!("\"{}\"", inner.replace("\\\"", "\""))),
            Fault::SingleBackslashes => {
                let mut result = String::new();
                let mut rest = inner;
                while let Some(at) = rest.find("\\\\") {
                    let after = rest[at + 2..].chars().next();
                    let escapes =
                        after.is_none_or(|after| "\"\\/bfnrtu'".contains(after)) || rest[..at].ends_with('\\');
                    result.push_str(&format!("{}{}", &rest[..at], if escapes { "\\\\" } else { "\\" }));
                    rest = &rest[at + 2..];
                }
                out.push_str(&format!("\"{result}{rest}\""));
            }
            _ => out.push_str(&quoted),
        }
    }
}

/// Text in which a quote that is not escaped can be told from one that ends the string.
fn tellable() -> BoxedStrategy<String> {
    prop_oneof![3 => "[a-zA-Z0-9 _.:;?!é-]{0,12}", 2 => "[a-z]{1,3}( \"[a-z ]{1,5}\")?( [a-z]{1,4})?", 1 => "[a-z ,.:\"{}\\[\\]]{0,12}"]
        .prop_filter("reads like the end of one member and the start of the next", |text| {
            // Whoever reads `x", "b": 1` in a string without escapes has to take it for two members.
            !text.split('"').skip(1).any(|after| after.trim_start().starts_with([',', '}', ']']))
        })
        .boxed()
}

fn windows_text() -> BoxedStrategy<String> {
    prop_oneof!["[a-z ]{0,5}", "C:(\\\\[a-z]{1,4}){1,3}", "\\^\\\\[dws][+*]?( \\\\d)?", "[a-z]{1,3}\n\\\\w [a-z]{1,3}"]
        .boxed()
}

fn plain_key() -> BoxedStrategy<String> {
    "[a-z][a-z0-9_]{0,5}".boxed()
}

fn texts_of(fault: Fault) -> fn() -> BoxedStrategy<String> {
    match fault {
        Fault::InnerQuotes => tellable,
        Fault::SingleBackslashes => windows_text,
        _ => any_text,
    }
}

fn plain_text() -> BoxedStrategy<String> {
    prop_oneof!["[a-z/.][a-z/. ]{0,4}[a-z/.]", "[a-z]{1,4}"].boxed()
}

/// The places of a text that are outside of its strings, which have no escapes.
fn outside(text: &str) -> Vec<usize> {
    let mut is_inside = false;
    let mut places = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        is_inside ^= byte == b'"';
        if !is_inside && byte != b'"' {
            places.push(at);
        }
    }
    places
}

fn has_quote(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('"'),
        Value::Array(items) => items.iter().any(has_quote),
        Value::Object(members) => members.iter().any(|(key, member)| key.contains('"') || has_quote(member)),
        _ => false,
    }
}

/// `NAN` and numbers that JSON cannot hold exactly do not come out of `to_string`, so that all of this is exact.
fn same(value: &Value, parsed: &Parsed) -> bool {
    value == &Value::Object(parsed.arguments.clone())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sound_json_comes_out_as_it_went_in(value in json_object(any_text, key)) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let parsed = refusing(&text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
            prop_assert!(same(&value, &parsed), "{} became {:?}", text, parsed.arguments);
            prop_assert!(parsed.repairs.is_empty());
        }
        prop_assert_eq!(Value::Object(check(value.clone(), &Validator::any()).unwrap()), value);
    }

    #[test]
    fn a_call_that_was_cut_off_is_refused_wherever_the_cut_is(value in json_object(any_text, key), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)) {
            let prefix = &text[..end];
            prop_assert!(refusing(prefix).is_err(), "{:?} was read as {:?}", prefix, refusing(prefix));
            if let Ok(parsed) = parse(prefix, &Validator::any(), CutOff::Complete) {
                prop_assert!(parsed.arguments.keys().all(|key| value.get(key).is_some()), "{:?} was completed to {:?}", prefix, parsed.arguments);
            }
        }
    }

    #[test]
    fn a_repaired_object_is_the_one_that_was_meant(
        (fault, value) in select(FAULTS).prop_flat_map(|fault| (Just(fault), json_object(texts_of(fault), if fault == Fault::InnerQuotes { plain_key } else { key })))
    ) {
        let text = fault.write(&value);
        if let Ok(parsed) = refusing(&text) {
            prop_assert!(same(&value, &parsed), "{:?}: {} became {}", fault, text, Value::Object(parsed.arguments));
        } else {
            prop_assert!(fault != Fault::None, "{}", text);
        }
    }

    #[test]
    fn a_cut_is_seen_in_repaired_text_too(
        (fault, value) in select(FAULTS).prop_flat_map(|fault| (Just(fault), json_object(texts_of(fault), plain_key)))
    ) {
        let text = fault.write(&value);
        for end in (1..text.len()).filter(|end| text.is_char_boundary(*end)) {
            // Nothing but a fence is missing at such an end.
            if let Ok(parsed) = refusing(&text[..end]) {
                let is_nothing = parsed.arguments.is_empty() && !text[..end].contains('{');
                prop_assert!(is_nothing || same(&value, &parsed), "{:?}: {:?} became {:?}", fault, &text[..end], parsed.arguments);
            }
        }
    }

    /// No text of these calls has a quote in it, so one that comes out with a quote was put together out of two.
    #[test]
    fn what_is_wrong_between_strings_never_gets_into_one(
        value in json_object(plain_text, plain_key),
        pretty in any::<bool>(),
        place in any::<prop::sample::Index>(),
        removed in 0..2_usize,
        put in select(vec!["", ",", ";", "，", "：", ":", "}", "]", "{", "[", "}}", "]}", " and ", " | ", " x ", "x", "<|end|>", "},{", "} {", "\n", " 5 ", "=", "/", ".", "} // x"]),
    ) {
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let places = outside(&text);
        let at = places[place.index(places.len())];
        let mangled = format!("{}{put}{}", &text[..at], &text[at + removed..]);
        if let Ok(parsed) = refusing(&mangled) {
            prop_assert!(!has_quote(&Value::Object(parsed.arguments.clone())), "{} became {:?}", mangled, parsed.arguments);
        }
        for between in ["", ",", " and ", ";", "\n\n", "} ", "\"", " \" "] {
            let both = format!("{text}{between}{text}");
            prop_assert!(refusing(&both).is_err(), "{both}");
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in prop_oneof![any::<String>(), "[\\[\\]{}\"',:\\\\ntu0-9ab.\\-\\s`/*#]{0,40}"]) {
        for validator in schemas() {
            for cut_off in [CutOff::Refuse, CutOff::Complete] {
                match parse(&text, &validator, cut_off) {
                    Ok(parsed) => prop_assert!(validator.is_valid(&Value::Object(parsed.arguments))),
                    Err(error) => prop_assert!(!error.to_string().is_empty()),
                }
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in vec(any::<u8>(), 0..60)) {
        let text = String::from_utf8_lossy(&bytes);
        for validator in schemas() {
            drop(parse(&text, &validator, CutOff::Complete));
        }
    }

    #[test]
    fn fitted_arguments_are_valid(value in json_object(any_text, || select(vec!["a", "b", "c"]).prop_map(str::to_owned).boxed())) {
        for validator in schemas() {
            if let Ok(arguments) = check(value.clone(), &validator) {
                prop_assert!(validator.is_valid(&Value::Object(arguments)));
            }
        }
    }

    /// Values of the right type are never touched.
    #[test]
    fn what_fits_is_left_alone(a in any_text(), b in any::<i64>(), c in vec(any_text(), 0..4)) {
        let validator = &schemas()[0];
        let value = json!({ "a": a, "b": b, "c": c });
        let parsed = parse(&value.to_string(), validator, CutOff::Refuse).unwrap();
        prop_assert!(same(&value, &parsed) && parsed.repairs.is_empty());
        // The long way, because of an argument that has to be coerced.
        let mut changed = value.clone();
        changed["b"] = json!(b.to_string());
        let parsed = parse(&changed.to_string(), validator, CutOff::Refuse).unwrap();
        prop_assert!(same(&value, &parsed), "{:?}", parsed);
    }
}

#[test]
fn most_faults_are_repaired() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    for &fault in FAULTS {
        let strategy = json_object(texts_of(fault), plain_key);
        let mut refused = Vec::new();
        for _ in 0..200 {
            let value = strategy.new_tree(&mut runner).unwrap().current();
            let text = fault.write(&value);
            if let Err(error) = refusing(&text) {
                refused.push(format!("{text}: {error}"));
            }
        }
        assert!(refused.len() < 60, "{fault:?}: {} of 200 refused, such as {:#?}", refused.len(), &refused[..5]);
    }
}

#[test]
fn a_large_hostile_text_is_answered_in_good_time() {
    let start = std::time::Instant::now();
    let many = 200_000;
    for text in [
        "[".repeat(many),
        "{\"a\":".repeat(many),
        format!("{{\"a\": \"{}", "\", ".repeat(many)),
        format!("{{\"a\": \"{}", "\",/*".repeat(many)),
        format!("{{\"a\": \"{}", "\" \"".repeat(many)),
        format!("{{\"a\": '{}", "', '".repeat(many)),
        format!("{{\"a\": \"{}\"}}", "x\" y".repeat(many)),
        format!("{{{}}}", (0..many / 10).map(|n| format!("'a{n}': 1")).collect::<Vec<_>>().join(",")),
        format!("{{\"a\": {}}}", "9".repeat(many)),
        format!("{{\"a\": 1e{}}}", "9".repeat(many)),
        format!("// {}", "/*".repeat(many)),
        "`".repeat(many),
    ] {
        for validator in schemas() {
            drop(parse(&text, &validator, CutOff::Complete));
        }
    }
    let value: Map<String, Value> = (0..2000).map(|n| (format!("k{n}"), json!([[["7"]]]))).collect();
    for validator in schemas() {
        drop(check(Value::Object(value.clone()), &validator));
    }
    assert!(start.elapsed().as_secs() < 60, "it took {:?}", start.elapsed());
}
