//! The whole way from text to arguments, fault by fault.

use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;

fn read(text: &str) -> Result<Value, ArgumentError> {
    parse(text, &Validator::any(), CutOff::Refuse).map(|parsed| Value::Object(parsed.arguments))
}

fn fitted(schema: &Value, text: &str) -> Result<Value, String> {
    let schema = json!({ "type": "object", "properties": schema });
    let validator = Validator::closed(&schema).unwrap();
    parse(text, &validator, CutOff::Refuse)
        .map(|parsed| Value::Object(parsed.arguments))
        .map_err(|error| error.to_string())
}

#[test]
fn nothing_is_no_arguments() {
    for text in
        ["", "  \n\t", "null", " null ", "{}", "\u{feff}", "```json\n```", "```\n{}\n```", "None", "// nothing\n{}"]
    {
        assert_eq!(read(text).unwrap(), json!({}), "{text:?}");
    }
}

#[test]
fn what_models_get_wrong_is_put_right() {
    for (text, expected, repair) in [
        ("\u{feff}{\"a\": 1}", json!({ "a": 1 }), Repair::ByteOrderMark),
        ("```json\n{\"a\": 1}\n```", json!({ "a": 1 }), Repair::CodeFence),
        ("~~~\n{\"a\": 1}\n~~~", json!({ "a": 1 }), Repair::CodeFence),
        ("``` json5\n{\"a\": 1}", json!({ "a": 1 }), Repair::CodeFence),
        ("```{\"a\": \"b\"}```", json!({ "a": "b" }), Repair::CodeFence),
        ("````js\n{\"a\": \"```\"}\n````\n", json!({ "a": "```" }), Repair::CodeFence),
        (r#""{\"a\": \"b\"}""#, json!({ "a": "b" }), Repair::DoubleEncoded),
        (r#""{"a": "b"}""#, json!({ "a": "b" }), Repair::DoubleEncoded),
        ("{'a': 'it's', \"b\": 'say \"x\"'}", json!({ "a": "it's", "b": "say \"x\"" }), Repair::SingleQuotes),
        (r#"{"a": "x "quoted" y", "b": "z"}"#, json!({ "a": "x \"quoted\" y", "b": "z" }), Repair::InnerQuotes),
        (r#"{"a": ""x" and "y""}"#, json!({ "a": "\"x\" and \"y\"" }), Repair::InnerQuotes),
        (r#"{"a": "5" pipe"}"#, json!({ "a": "5\" pipe" }), Repair::InnerQuotes),
        (r#"{"l": ["a "b" c", "d"]}"#, json!({ "l": ["a \"b\" c", "d"] }), Repair::InnerQuotes),
        ("{\"a\": \"x\ny\tz\u{1}\"}", json!({ "a": "x\ny\tz\u{1}" }), Repair::RawControl),
        ("{\"a\": \"\", \"d\n\": \"\"}", json!({ "a": "", "d\n": "" }), Repair::RawControl),
        (r#"{"a": "C:\dir\w+", "b": "\d\n \w"}"#, json!({ "a": r"C:\dir\w+", "b": "\\d\n \\w" }), Repair::Escape),
        (r#"{"a": "\x41\u12"}"#, json!({ "a": r"\x41\u12" }), Repair::Escape),
        ("{\"a\": [1, 2,], }", json!({ "a": [1, 2] }), Repair::TrailingComma),
        ("{\"a\": \"x\"\n \"b\": 2 \"c\": 3}", json!({ "a": "x", "b": 2, "c": 3 }), Repair::MissingComma),
        ("{a: 1, $b_2: {c-d: \"x\"}}", json!({ "a": 1, "$b_2": { "c-d": "x" } }), Repair::UnquotedKey),
        ("{\"a\": True, \"b\": [False, None]}", json!({ "a": true, "b": [false, null] }), Repair::PythonLiteral),
        ("{\"a\": 1, // one\n/* two */ \"b\": 2 #\n}", json!({ "a": 1, "b": 2 }), Repair::Comment),
    ] {
        let parsed = parse(text, &Validator::any(), CutOff::Refuse).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(Value::Object(parsed.arguments), expected, "{text}");
        assert!(parsed.repairs.contains(&repair), "{text}: {:?}", parsed.repairs);
    }
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    for text in [
        r#"{"a": "say "hi", "b": "x"}"#,
        r#"{"a": "C:\dir\new"}"#,
        r#"{"a": "^\w+\t\d$"}"#,
        r#"{"a": "\b\w+\b"}"#,
        r#"{"a": "\\server\share"}"#,
        r#"{"a": "it\'s"}"#,
        r#"{"a": "x "y" z", b: 1}"#,
        r#"{"a": "b" "c"}"#,
        r#"{"a": """x"""}"#,
    ] {
        assert!(matches!(read(text), Err(ArgumentError::Syntax { .. })), "{text} was read as {:?}", read(text));
    }
}

#[test]
fn a_quote_that_may_end_its_value_is_never_kept_as_text() {
    for text in [
        r#"{"path":"/tmp/a","x","content":"c"}"#,
        r#"{"path":"a", "b","content":"c"}"#,
        r#"{"path":"a"，"b":"c"}"#,
        r#"{"path":"a"， "b":"c"}"#,
        r#"{"path":"a"; "b":"c"}"#,
        r#"{"path":"a"；b:"c"}"#,
        r#"{"path":"a"："b"}"#,
        r#"{"path":"a":"b"}"#,
        r#"{"path":"a" b:"c"}"#,
        r#"{"path":"a" b: 5, c:"d"}"#,
        r#"{"path":"a" | "b":"c"}"#,
        r#"{"paths":["a" and "b"]}"#,
        r#"{"paths":["a/" and "b"]}"#,
        r#"{"paths":["a"; "b"]}"#,
        r#"{"paths":["a", b, "c"]}"#,
        r#"{"paths":["a","b"}, "c":1, "d":["e"]}"#,
        r#"{"path":"a"], "x":["b"]}"#,
        r#"{"o":{"path":"a"} rm "b"}}"#,
        r#"{"o":{"path":"a"} rm b"}}"#,
        r#"{"o":[{"path":"a"};{"path":"b"}]}"#,
        r#"{"path":"a", {"b":"c"}}"#,
        r#"{"path":"", 5, "b"}"#,
        "{'path':'a'; 'b':'c'}",
    ] {
        assert!(matches!(read(text), Err(ArgumentError::Syntax { .. })), "{text} was read as {:?}", read(text));
    }
    for text in [
        r#"{"path":"a"},{"path":"b"}"#,
        r#"{"query": "a"} and {"limit": "b"}"#,
        r#"{"path":"/tmp/a"} "}"#,
        r#"{"path":"/tmp/a" }, "x": "y"}"#,
        r#"{"content":"a","path":"/tmp/x"} rm "y"}"#,
        r#"{"path":"a","content":"x"}, {"path":"b","content":"y"}"#,
        r#"{"path":"a"}}"#,
        r#"{"path":"a"}<|end|>"#,
        r#"{"path":"a"};"#,
        r#"{"path":"a"} I deleted it."#,
        r#"{"paths":["a","b"]}}"#,
        r#"{"o":{"path":"a"}}} "b"}"#,
    ] {
        assert!(matches!(read(text), Err(ArgumentError::Trailing { .. })), "{text}: {:?}", read(text));
    }
}

#[test]
fn quotes_that_can_only_be_text_are_kept() {
    for (text, expected) in [
        (r#"{"a": "say "hi" now"}"#, "say \"hi\" now"),
        (r#"{"a": "say "hi", he said", "b": 1}"#, "say \"hi\", he said"),
        (r#"{"a": "the "key": value"}"#, "the \"key\": value"),
        (r#"{"a": "x["k"] = 1"}"#, "x[\"k\"] = 1"),
        (r#"{"a": "<a href="/x" class="y">"}"#, "<a href=\"/x\" class=\"y\">"),
        (r#"{"a": "5" by 6" pipe"}"#, "5\" by 6\" pipe"),
    ] {
        assert_eq!(read(text).unwrap()["a"], expected, "{text}");
    }
}

#[test]
fn one_character_too_many_is_no_cut_off_call() {
    for (text, column, expected) in [
        (r#"{"path":"a","content":"x",,}"#, 27, "a key in double quotes"),
        (r#"{"path":"a"，"limit":5}"#, 12, "go on with `,`"),
        (r#"{"paths":["a","b"}"#, 18, "expected `,` or `]`"),
        (r#"{"paths":["a/","b/"}"#, 20, "expected `,` or `]`"),
        (r#"{"path":"a";"content":"x"}"#, 12, "go on with `,`"),
        (r#"{"path":"a" x}"#, 13, "expected `,` or `}`"),
        (r#"{"path":"a"x}"#, 12, "expected `,` or `}`"),
        (r#"{"path":"a", b}"#, 15, "expected `:` after the key \"b\""),
        (r#"{"path":"",,}"#, 12, "a key in double quotes"),
        (r#"{"path":"a";"content":"x"#, 12, "go on with `,`"),
        ("```json\n{\"path\":\"a\",,}\n```", 13, "a key in double quotes"),
    ] {
        match read(text) {
            Err(ArgumentError::Syntax { problem, position, .. }) => {
                assert!(problem.contains(expected), "{text}: {problem}");
                assert_eq!(position.column, column, "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    for text in [
        r#"{"content":"say "hi" and go o"#,
        r#"{"content":"if (x == "a") { y }"#,
        r#"{"content":"say "hi", then"#,
        r#"{"content":"say "h"#,
        r#"{"content":"{}"#,
    ] {
        assert!(matches!(read(text), Err(ArgumentError::CutOff { .. })), "{text}: {:?}", read(text));
    }
}

#[test]
fn what_is_no_object_is_refused() {
    for text in ["[1]", "7", "true", "\"x\"", "[{\"a\": 1}]", "```\n[1]\n```", "\"[1]\"", "\"null\""] {
        assert!(matches!(read(text), Err(ArgumentError::NotAnObject { .. })), "{text}: {:?}", read(text));
    }
    for text in [
        "hello",
        "Here it is: {\"a\": 1}",
        "}",
        "a: 1",
        "\"a\": 1",
        "{\"a\" 1}",
        "{\"a\":}",
        "{\"a\":,}",
        "{:1}",
        "{,}",
        "{\"a\": 1,,}",
        "{\"a\": b}",
        "{\"a\": 01}",
        "{\"a\": .5}",
        "{\"a\": 0x1}",
        "{\"a\": -}",
        "{1: 2}",
        "{\"a\": [1 2]}",
        "{\"a\": undefined}",
        "{\"a\": (1)}",
        "{\"a\": 1]",
    ] {
        assert!(matches!(read(text), Err(ArgumentError::Syntax { .. })), "{text}: {:?}", read(text));
    }
    for text in [
        "{\"a\": 1}{\"b\": 2}",
        "{\"a\": 1} {\"b\": 2}",
        "{\"a\": 1}\nI hope this helps",
        "```json\n{\"a\": 1}\n```\nI hope this helps",
        "{\"a\": 1}}",
        "{\"a\": 1};",
        "{} []",
    ] {
        assert!(matches!(read(text), Err(ArgumentError::Trailing { .. })), "{text}: {:?}", read(text));
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    for text in [
        "{\"a\": NaN}",
        "{\"a\": nan}",
        "{\"a\": [[-Infinity]]}",
        "{\"a\": Infinity}",
        "{\"a\": {\"b\": inf}}",
        "{\"a\": -inf}",
    ] {
        assert!(matches!(read(text), Err(ArgumentError::NotFinite { .. })), "{text}: {:?}", read(text));
    }
    for text in [
        "{\"a\": 1e999}",
        "{\"a\": [-1e999]}",
        "{\"a\": 1e-999}",
        "{\"a\": 12345678901234567890123}",
        "{\"a\": 0.12345678901234567890123}",
        "{\"a\": 1.5, \"b\": 9007199254740993.0}",
    ] {
        assert!(matches!(read(text), Err(ArgumentError::Number { .. })), "{text}: {:?}", read(text));
    }
    assert_eq!(
        read("{\"a\": 100000000000000000000, \"b\": 1e300, \"c\": 0.0}").unwrap(),
        json!({ "a": 1e20, "b": 1e300, "c": 0.0 })
    );
}

#[test]
fn a_key_that_comes_twice_is_named() {
    for text in [
        r#"{"key": 1, "key": 1}"#,
        r#"{"o": [{"key": 1, "k\u0065y": 2}]}"#,
        "{key: 1, 'key': 2}",
        "{\"key\": 1, \"x\": {\"key\": 1}, \"key\": 2,}",
    ] {
        assert_eq!(read(text), Err(ArgumentError::DuplicateKey { key: "key".to_owned() }), "{text}");
    }
}

#[test]
fn half_a_surrogate_pair_is_refused() {
    assert_eq!(read(r#"{"a": "\ud83d\ude00"}"#).unwrap(), json!({ "a": "😀" }));
    assert_eq!(read(r#"{'a': '\ud83d\ude00'}"#).unwrap(), json!({ "a": "😀" }));
    for text in [r#"{"a": "\ud83d"}"#, r#"{"a": "\ude00"}"#, r#"{"a": "\ud83dx"}"#, r#"{"a": "\ud83d\u0041"}"#] {
        assert!(matches!(read(text), Err(ArgumentError::Syntax { .. })), "{text}: {:?}", read(text));
    }
}

#[test]
fn a_cut_off_call_is_refused_with_the_place() {
    for (text, place) in [
        ("{\"command\": \"rm -rf /tmp/x", "command"),
        ("{\"path\": \"/a\", \"edits\": [{\"new\": \"x\"}, {\"new\": \"li", "edits[1].new"),
        ("{\"path\": \"/a\", \"content\":", "content"),
        ("{\"path\": \"/a\", \"cont", ""),
        ("{\"path\": \"/a\", cont", ""),
        ("{\"path\": \"/a\",", ""),
        ("{\"n\": 12.", "n"),
        ("{\"n\": 1", "n"),
        ("{\"n\": tr", "n"),
        ("{\"a\": [[1", "a[0]"),
        ("{", ""),
        ("\"{\\\"a\\\": \\\"x\\\"}", ""),
        ("```json\n{\"a\": \"x\"", "a"),
    ] {
        match read(text) {
            Err(ArgumentError::CutOff { path, .. }) => assert_eq!(path, place, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_tool_that_only_reads_may_have_its_call_completed() {
    let complete =
        |text: &str| parse(text, &Validator::any(), CutOff::Complete).map(|parsed| Value::Object(parsed.arguments));
    assert_eq!(complete("{\"a\": [1, {\"b\": \"x").unwrap(), json!({ "a": [1, { "b": "x" }] }));
    assert_eq!(complete("{\"a\": 1,").unwrap(), json!({ "a": 1 }));
    for text in [
        "{\"a\": 1, \"b",
        "{\"a\": 1, b",
        "{\"a\": 1, \"b\"",
        "{\"a\": 1, \"b\":",
        "{\"a\": 12.",
        "{\"a\": tr",
        "{\"a\": \"x\"y\" z",
    ] {
        assert!(complete(text).is_err(), "{text}: {:?}", complete(text));
    }
}

#[test]
fn values_are_brought_to_the_type_of_the_schema() {
    let integers = json!({ "x": { "type": "integer" } });
    let nullable = json!({ "x": { "anyOf": [{ "type": "integer" }, { "type": "null" }] } });
    let texts = json!({ "x": { "type": "array", "items": { "type": "string" } } });
    let deep = json!({ "x": { "type": "array", "items": { "type": "object", "properties": { "n": { "type": ["integer", "null"] }, "on": { "type": "boolean" } } } } });
    let choice = json!({ "x": { "oneOf": [
        { "type": "object", "properties": { "kind": { "const": "a" }, "n": { "type": "integer" } }, "required": ["kind", "n"] },
        { "type": "object", "properties": { "kind": { "const": "b" }, "n": { "type": "string" } }, "required": ["kind", "n"] },
    ] } });
    for (schema, came, expected) in [
        (&integers, json!("7"), json!(7)),
        (&integers, json!(" -7 "), json!(-7)),
        (&integers, json!("3.0"), json!(3)),
        (&integers, json!(3.0), json!(3)),
        (&integers, json!(-0.0), json!(0)),
        (&integers, json!(1e3), json!(1000)),
        (&integers, json!(1e19), json!(10_000_000_000_000_000_000_u64)),
        (&nullable, json!("7"), json!(7)),
        (&nullable, json!(7.0), json!(7)),
        (&nullable, json!("null"), json!(null)),
        (&json!({ "x": { "type": "number" } }), json!("1.5"), json!(1.5)),
        (&json!({ "x": { "type": "number" } }), json!(3.0), json!(3.0)),
        (&json!({ "x": { "type": "boolean" } }), json!("False"), json!(false)),
        (&json!({ "x": { "type": "boolean" } }), json!("TRUE"), json!(true)),
        (&json!({ "x": { "type": "boolean" } }), json!(" FALSE "), json!(false)),
        (&json!({ "x": { "type": "string" } }), json!(7), json!("7")),
        (&json!({ "x": { "type": "string" } }), json!("007"), json!("007")),
        (&json!({ "x": { "type": ["string", "null"] } }), json!("null"), json!("null")),
        (&json!({ "x": { "enum": [1, 2] } }), json!("2"), json!(2)),
        (&texts, json!("a"), json!(["a"])),
        (&texts, json!("['a', 'b']"), json!(["a", "b"])),
        (&texts, json!(["a", 1]), json!(["a", "1"])),
        (
            &deep,
            json!([{ "n": "1", "on": "true" }, { "n": 2.0 }, { "n": null, "on": null }]),
            json!([{ "n": 1, "on": true }, { "n": 2 }, { "n": null }]),
        ),
        (&deep, json!({ "n": 1 }), json!([{ "n": 1 }])),
        (&deep, json!("{\"n\": \"1\"}"), json!([{ "n": 1 }])),
        (&choice, json!({ "kind": "a", "n": "7" }), json!({ "kind": "a", "n": 7 })),
        (&choice, json!({ "kind": "b", "n": 7 }), json!({ "kind": "b", "n": "7" })),
        (&choice, json!("{\"kind\": \"b\", \"n\": \"7\"}"), json!({ "kind": "b", "n": "7" })),
        (&json!({ "x": { "type": "object" } }), json!("{\"k\": 1}"), json!({ "k": 1 })),
        (&json!({ "x": { "anyOf": [{ "type": "integer" }, { "type": "number" }] } }), json!(3.0), json!(3.0)),
    ] {
        let text = json!({ "x": came }).to_string();
        assert_eq!(fitted(schema, &text).as_ref(), Ok(&json!({ "x": expected })), "{text} under {schema}");
        let validator = Validator::closed(&json!({ "type": "object", "properties": schema })).unwrap();
        assert_eq!(
            check(json!({ "x": came }), &validator).map(Value::Object),
            Ok(json!({ "x": expected })),
            "{text} under {schema}"
        );
    }
    assert_eq!(fitted(&json!({ "x": { "type": "string" } }), "{\"x\": 1.10}").unwrap(), json!({ "x": "1.10" }));
    assert_eq!(
        fitted(&json!({ "x": { "type": "string" } }), "{\"x\": 12345678901234567890123}").unwrap(),
        json!({ "x": "12345678901234567890123" })
    );
}

#[test]
fn a_value_that_cannot_be_brought_to_its_type_is_reported_as_it_came() {
    for (schema, came, expected) in [
        (json!({ "type": "integer" }), json!("abc"), "`x`: expected an integer, got \"abc\""),
        (json!({ "type": "integer" }), json!(3.7), "`x`: expected an integer, got 3.7"),
        (json!({ "type": "integer" }), json!("3.7"), "`x`: expected an integer, got \"3.7\""),
        (json!({ "type": "integer" }), json!(true), "`x`: expected an integer, got true"),
        (json!({ "type": "integer", "maximum": 5 }), json!("7"), "`x`: expected an integer of at most 5, got \"7\""),
        (json!({ "type": "boolean" }), json!("yes"), "`x`: expected true or false, got \"yes\""),
        (json!({ "type": "boolean" }), json!(1), "`x`: expected true or false, got 1"),
        (json!({ "type": "string" }), json!(["a"]), "`x`: expected a string, got [\"a\"]"),
        (json!({ "type": "string" }), json!({ "a": 1 }), "`x`: expected a string, got {\"a\":1}"),
        (json!({ "enum": ["Red", "Blue"] }), json!("red"), "`x`: expected one of \"Red\", \"Blue\", got \"red\""),
        (
            json!({ "type": "array", "items": { "type": "integer" } }),
            json!("[1, \"a\"]"),
            "`x[1]`: expected an integer, got \"a\"",
        ),
        (
            json!({ "type": "array", "items": { "type": "string" } }),
            json!("[1, 2"),
            "`x`: expected an array, each a string, got \"[1, 2\"",
        ),
        // `1` and `"1"` would be as good.
        (
            json!({ "anyOf": [{ "type": "array", "items": { "type": "integer" } }, { "type": "array", "items": { "type": "boolean" } }] }),
            json!("x"),
            "`x`: expected an array, each an integer or an array, each true or false, got \"x\"",
        ),
    ] {
        let text = json!({ "x": came }).to_string();
        assert_eq!(fitted(&json!({ "x": schema }), &text), Err(format!("invalid arguments: {expected}")));
    }
}

#[test]
fn faults_are_those_of_the_fitted_value_and_show_the_written_one() {
    let tagged = json!({ "oneOf": [
        { "type": "object", "properties": { "type": { "const": "move_to" }, "x": { "type": "integer" }, "y": { "type": "integer" } }, "required": ["type", "x", "y"] },
        { "type": "object", "properties": { "type": { "const": "stop" }, "after": { "type": "integer" } }, "required": ["type", "after"] },
    ] });
    let external = json!({ "oneOf": [
        { "type": "string", "enum": ["U"] },
        { "type": "object", "properties": { "A": { "type": "integer", "maximum": 5 } }, "required": ["A"] },
        { "type": "object", "properties": { "B": { "type": "object", "properties": { "n": { "type": "integer" } }, "required": ["n"] } }, "required": ["B"] },
    ] });
    let filter = json!({ "type": "object", "properties": { "label": { "type": "string" } }, "required": ["label"] });
    let day = json!({ "type": "string", "format": "date" });
    let labels = json!({ "type": "array", "items": { "type": "string" }, "minItems": 2 });
    for (schema, came, expected) in [
        (
            &tagged,
            json!({ "type": "move_to", "x": "1", "y": 2, "z": 3 }),
            "unknown argument `x.z`; known here: `type`, `x`, `y`",
        ),
        (&tagged, json!("{\"type\": \"move_to\", \"x\": \"1\"}"), "`x.y`: missing; expected an integer"),
        (&tagged, json!({ "type": "move_to", "x": "one", "y": "2" }), "`x.x`: expected an integer, got \"one\""),
        (&external, json!({ "A": "7" }), "`x.A`: expected an integer of at most 5, got \"7\""),
        (&external, json!({ "B": { "n": "1", "m": 1 } }), "unknown argument `x.B.m`; known here: `n`"),
        (&external, json!("A"), "`x`: expected \"U\" or an object {\"A\": …} or an object {\"B\": …}, got \"A\""),
        (&filter, json!("{}"), "`x.label`: missing; expected a string"),
        (&day, json!(20_270_203), "`x`: expected a date (YYYY-MM-DD), got 20270203"),
        (&labels, json!("[\"a\"]"), "`x`: expected an array of at least 2 items, got \"[\\\"a\\\"]\""),
    ] {
        let text = json!({ "x": came }).to_string();
        assert_eq!(fitted(&json!({ "x": schema }), &text), Err(format!("invalid arguments: {expected}")), "{text}");
    }
}

#[test]
fn null_in_quotes_is_null_where_no_text_is_wanted() {
    let optional = |schema: Value| json!({ "x": schema });
    for schema in [
        json!({ "type": "integer" }),
        json!({ "type": "number" }),
        json!({ "type": "boolean" }),
        json!({ "type": "object", "properties": {} }),
        json!({ "type": "array", "items": { "type": "string" } }),
        json!({ "anyOf": [{ "type": "integer" }, { "type": "boolean" }] }),
    ] {
        assert_eq!(fitted(&optional(schema.clone()), r#"{"x": "null"}"#), Ok(json!({})), "{schema}");
        let required = json!({ "type": "object", "properties": { "x": schema }, "required": ["x"] });
        assert!(check(json!({ "x": "null" }), &Validator::closed(&required).unwrap()).is_err(), "{schema}");
    }
    let texts = json!({ "anyOf": [{ "type": "array", "items": { "type": "string" } }, { "type": "null" }] });
    assert_eq!(fitted(&optional(texts), r#"{"x": " null "}"#), Ok(json!({ "x": null })));
    for schema in [json!({ "type": "string" }), json!({ "type": ["string", "integer"] }), json!({})] {
        assert_eq!(fitted(&optional(schema.clone()), r#"{"x": "null"}"#), Ok(json!({ "x": "null" })), "{schema}");
    }
}

#[test]
fn every_fault_is_reported_and_only_what_is_wrong() {
    let schema = json!({ "a": { "type": "integer" }, "b": { "type": "integer" }, "c": { "type": "string" } });
    assert_eq!(
        fitted(&schema, r#"{"a": "1", "b": "x", "d": 1, "c": null}"#).unwrap_err(),
        "invalid arguments:\n- `b`: expected an integer, got \"x\"\n- unknown argument `d`; known here: `a`, `b`, `c`"
    );
}

#[test]
fn null_for_an_optional_argument_is_not_given() {
    let schema = json!({ "type": "object", "properties": {
        "a": { "type": "string" }, "b": { "type": "integer" }, "c": { "type": ["string", "null"] }, "o": { "type": "object", "properties": { "n": { "type": "integer" } } },
        "m": { "type": "object", "additionalProperties": { "type": "string" } }
    }, "required": ["a"] });
    let validator = Validator::closed(&schema).unwrap();
    let parsed = parse(r#"{"a": "x", "b": null, "c": null, "o": {"n": null}}"#, &validator, CutOff::Refuse).unwrap();
    assert_eq!(Value::Object(parsed.arguments), json!({ "a": "x", "c": null, "o": {} }));
    assert_eq!(parsed.repairs.len(), 2);
    let error = parse(r#"{"a": null}"#, &validator, CutOff::Refuse).unwrap_err().to_string();
    assert_eq!(error, "invalid arguments: `a`: expected a string, got null");
    // The entry of a map is not an optional argument.
    assert!(parse(r#"{"a": "x", "m": {"k": null}}"#, &validator, CutOff::Refuse).is_err());
}

#[test]
fn deep_nesting_is_an_error() {
    for deep in [126, 127, 5000] {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let text = format!("{{\"a\": {}1{}}}", open.repeat(deep), close.repeat(deep));
            assert_eq!(read(&text).is_ok(), deep < 127, "{deep} {open}");
            assert_eq!(read(&text.replace("\"a\"", "'a'").replace('1', "1,")).is_ok(), deep < 127, "{deep} {open}");
        }
    }
}

#[test]
fn a_schema_that_goes_round_in_circles_does_not_send_the_fitter_round() {
    let nested = json!({ "$ref": "#/$defs/Deep", "$defs": { "Deep": { "type": "array", "items": { "$ref": "#/$defs/Deep" } } } });
    let schema =
        json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/Deep" } }, "$defs": nested["$defs"] });
    let validator = Validator::new(&schema).unwrap();
    assert!(parse(r#"{"x": "a"}"#, &validator, CutOff::Refuse).is_err());
    let branch = |name: &str| json!({ "type": "object", "properties": { "next": { "$ref": "#/$defs/T" }, name: { "type": "string" } }, "required": ["next"] });
    let tree = json!({ "anyOf": [branch("l"), branch("r"), branch("m"), { "type": "integer" }] });
    let validator = Validator::closed(
        &json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/T" } }, "$defs": { "T": tree } }),
    )
    .unwrap();
    for (leaf, fits) in [(json!("7"), true), (json!("x"), false)] {
        let value = (0..3).fold(leaf.clone(), |value, _| json!({ "next": value, "l": 1 }));
        assert_eq!(check(json!({ "x": value }), &validator).is_ok(), fits);
        let value = (0..50).fold(leaf, |value, _| json!({ "next": value }));
        assert!(fits || check(json!({ "x": value }), &validator).is_err());
    }
}

#[test]
fn a_long_text_is_shown_by_its_ends() {
    let text = format!("é{}", "x".repeat(500));
    let shown = Excerpt::new(&text).to_string();
    assert!(shown.starts_with("éxxx") && shown.ends_with("xxx") && shown.contains("301 characters left out"));
    assert_eq!(Excerpt::new(&"é".repeat(200)).as_str(), "é".repeat(200));
    match read("{\n  \"é\" 1}") {
        Err(ArgumentError::Syntax { position, .. }) => assert_eq!((position.line, position.column), (2, 6)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn arguments_are_decoded_where_they_are() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Both {
        a: u8,
        b: Option<String>,
    }
    #[derive(Debug, Deserialize, PartialEq)]
    enum Either {
        Left { n: u8 },
    }
    #[derive(Debug, Deserialize, PartialEq)]
    struct Nothing;

    let map = |value: Value| members(value);
    assert_eq!(decode::<Both>(&map(json!({ "a": 1 }))).unwrap(), Both { a: 1, b: None });
    assert_eq!(decode::<Either>(&map(json!({ "Left": { "n": 1 } }))).unwrap(), Either::Left { n: 1 });
    assert_eq!(decode::<Nothing>(&Map::new()).unwrap(), Nothing);
    decode::<()>(&Map::new()).unwrap();
    assert_eq!(decode::<Option<Both>>(&map(json!({ "a": 1 }))).unwrap(), Some(Both { a: 1, b: None }));
    assert_eq!(decode::<Map<String, Value>>(&map(json!({ "a": [1] }))).unwrap(), map(json!({ "a": [1] })));
    let error = decode::<Both>(&map(json!({ "b": "x", "a": 300 }))).unwrap_err();
    assert_eq!(error.to_string(), "`a`: expected an integer from 0 to 255, got 300");
    assert_eq!(decode::<Both>(&Map::new()).unwrap_err().to_string(), "`a`: missing, and it is required");
}

#[test]
fn a_type_says_what_it_makes_of_nothing() {
    assert!(is_optional::<Option<u8>>() && is_optional::<Option<Option<String>>>());
    assert!(!is_optional::<u8>() && !is_optional::<Vec<u8>>() && !is_optional::<Value>() && !is_optional::<()>());
    assert_eq!(decode_missing::<Option<u8>>("n").unwrap(), None);
    assert_eq!(decode_missing::<u8>("n").unwrap_err().to_string(), "`n`: missing, and it is required");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_filter_map("JSON has finite numbers only", |float| serde_json::Number::from_f64(float)
            .map(Value::Number)),
        any::<String>().prop_map(Value::from),
        "[a-z\"\\\\{}\\[\\],:'\n#/ ]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let key = prop_oneof!["[a-z]{0,3}", "[a-z\"\\\\{},:'\n ]{0,6}"];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_lenient_parser_reads_sound_json_as_the_strict_one_does(value in any_json(), pretty in any::<bool>()) {
        let value = json!({ "x": value });
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let mut repairs = Vec::new();
        let raw = lenient::parse(&text, CutOff::Refuse, &mut repairs).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(raw.to_value(&String::new).ok(), Some(value));
        prop_assert!(repairs.is_empty(), "{} {:?}", text, repairs);
    }

    #[test]
    fn what_the_strict_parser_reads_the_lenient_one_reads_alike(text in "\\{\"a\": ?[{}\\[\\],:\"a1.e\\\\un -]{0,14}\\}") {
        if let strict::Outcome::Object { arguments, .. } = strict::parse(&text) {
            let lenient = lenient::parse(&text, CutOff::Refuse, &mut Vec::new()).ok().and_then(|raw| raw.to_value(&String::new).ok());
            prop_assert_eq!(lenient, Some(Value::Object(arguments)));
        }
    }
}

/// A tool that writes, all of whose arguments are optional.
fn anything() -> Validator {
    Validator::closed(&json!({ "type": "object", "properties": {
        "filter": { "type": "string" }, "l": { "type": "array", "items": { "type": "string" } }, "n": { "type": "integer" }
    } }))
    .unwrap()
}

#[test]
fn what_stands_in_a_comment_or_behind_the_start_of_a_code_block_is_not_taken_for_nothing() {
    for text in [
        r#"# {"filter": "old"}"#,
        r#"// {"filter": "old"}"#,
        r#"/* {"filter":"old"} "#,
        "#!/bin/sh",
        "```json",
        "~~~",
        "```json\n# {\"filter\":\"x\"}\n```",
        r#"{"filter":"/a"} # {"n":1"#,
    ] {
        assert!(parse(text, &anything(), CutOff::Refuse).is_err(), "{text}");
    }
    assert_eq!(parse(" \n", &anything(), CutOff::Refuse).unwrap().arguments.len(), 0);
}

#[test]
fn a_text_that_may_be_cut_off_before_its_second_quote_is_not_run() {
    let writes = Validator::new(&json!({ "type": "object", "properties": {
        "path": { "type": "string" }, "content": { "type": "string" }, "n": { "type": "integer" },
        "l": { "type": "array", "items": { "type": "string" } }
    }, "additionalProperties": false }))
    .unwrap();
    for text in [
        r#"{"path":"/a","content":"x {"k":"v"}"#,
        r#"{"path":"/a","content":"fn main() {\n println!("hi"}"#,
        r#"{"path":"/a","content":"<a href="x"}"#,
        r#"{"content":"say "hi"}"#,
        r#""{"n": "1"}"#,
        r#"{"l":["a "b"]}"#,
        r#"{"content":'it's {'k':'v'}"#,
        r#"{"content":"echo "a", "n":1}"#,
    ] {
        assert!(parse(text, &writes, CutOff::Refuse).is_err(), "{text}");
    }
}

#[test]
fn strings_inside_of_strings_are_unpacked_once() {
    let node = Validator::closed(&json!({ "type": "object", "properties": { "child": { "$ref": "#" } } })).unwrap();
    let level = |inner: &str| format!("{}{inner}{}", "{child:".repeat(120), "}".repeat(120));
    let mut text = level("{}");
    for _ in 0..12 {
        text = level(&Value::from(text).to_string());
    }
    assert!(parse(&text, &node, CutOff::Refuse).is_err());
}

#[test]
fn comments_behind_quotes_do_not_make_reading_slow() {
    let text = format!("{{\"filter\": \"x{}z", "\"#\n".repeat(40_000));
    assert!(parse(&text, &anything(), CutOff::Refuse).is_err());
}

#[test]
fn a_long_list_is_fitted_to_its_end() {
    let list = Validator::closed(&json!({ "type": "object", "properties": {
        "c": { "type": "array", "items": { "type": "integer" } }
    } }))
    .unwrap();
    let text = json!({ "c": vec!["1"; 50_000] }).to_string();
    assert_eq!(parse(&text, &list, CutOff::Refuse).unwrap().arguments["c"][49_999], 1);
}

#[test]
fn nothing_is_not_made_a_list_of_nothing() {
    for text in [r#"{"l":""}"#, r#"{"l":"None"}"#] {
        assert!(parse(text, &anything(), CutOff::Refuse).is_err(), "{text}");
    }
}
