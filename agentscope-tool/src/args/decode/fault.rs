//! What a type says of a value that it refuses, with the place, in the words of JSON.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};
use serde_json::{Map, Number, Value};

use crate::args::error::{ArgumentError, Excerpt};
use crate::schema::{Path, did_you_mean, number};

/// Why a type refuses a value. Boxed, since it travels through every level of the value.
#[derive(Debug)]
pub(super) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    /// The way to the value, from the inside to the outside.
    steps: Vec<Step>,
    problem: Problem,
    /// The value itself, if it is a single one and the type named it.
    leaf: Option<Value>,
}

#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Index(usize),
}

#[derive(Debug)]
enum Problem {
    /// Another value than what was expected.
    Expected { expected: String, got: String },
    /// As the type says it.
    Said(String),
}

impl Fault {
    fn new(problem: Problem, leaf: Option<Value>) -> Self {
        Fault(Box::new(Inner { steps: Vec::new(), problem, leaf }))
    }

    fn unexpected(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let leaf = match unexpected {
            Unexpected::Bool(value) => Some(Value::Bool(value)),
            Unexpected::Unsigned(number) => Some(number.into()),
            Unexpected::Signed(number) => Some(number.into()),
            Unexpected::Float(number) => Number::from_f64(number).map(Value::Number),
            Unexpected::Str(text) => Some(Value::from(text)),
            _ => None,
        };
        let got = match (&leaf, unexpected) {
            (Some(Value::String(text)), _) => Value::from(Excerpt::new(text).as_str()).to_string(),
            (Some(value), _) => value.to_string(),
            (None, Unexpected::Unit | Unexpected::Option) => "null".to_owned(),
            (None, Unexpected::Seq) => "an array".to_owned(),
            (None, Unexpected::Map) => "an object".to_owned(),
            (None, other) => other.to_string(),
        };
        Fault::new(Problem::Expected { expected: words(&expected.to_string()), got }, leaf)
    }

    /// The same fault of a value for which `expected` is known.
    pub(super) fn expecting(mut self, wanted: &str) -> Self {
        if let Problem::Expected { expected, .. } = &mut self.0.problem {
            *expected = wanted.to_owned();
        }
        self
    }

    /// The same fault, seen from outside of the member `key`.
    pub(super) fn in_member(mut self, key: &str) -> Self {
        self.0.steps.push(Step::Key(key.to_owned()));
        self
    }

    /// The same fault, seen from outside of the item `index`.
    pub(super) fn in_item(mut self, index: usize) -> Self {
        self.0.steps.push(Step::Index(index));
        self
    }

    /// The fault of the key of a member.
    pub(super) fn in_key(mut self, key: &str) -> Self {
        // A key that the type does not know has brought its name along.
        if self.0.steps.is_empty() {
            if let Problem::Expected { expected, .. } = &mut self.0.problem {
                *expected = format!("{expected} as the key");
            }
            self.0.leaf = None;
            self.0.steps.push(Step::Key(key.to_owned()));
        }
        self
    }

    /// The error for the arguments as a whole.
    pub(super) fn of_arguments(self, arguments: &Map<String, Value>) -> ArgumentError {
        let mut steps: Vec<Step> = self.0.steps.into_iter().rev().collect();
        // Some types keep what they have read for later, and no longer know where it was.
        if let Some(leaf) = &self.0.leaf {
            let found = match steps.split_first() {
                Some((Step::Key(key), inner)) => {
                    arguments.get(key).and_then(|value| at(value, inner)).and_then(|value| only(value, leaf))
                }
                Some(_) => None,
                None => only_member(arguments, leaf),
            };
            steps.extend(found.unwrap_or_default());
        }
        let message = match self.0.problem {
            Problem::Expected { expected, got } => format!("expected {expected}, got {got}"),
            Problem::Said(text) => text,
        };
        ArgumentError::Decode { argument: written(&steps, &Path::ROOT), message }
    }

    /// The error for one argument.
    pub(super) fn of_argument(self, name: &str, value: &Value) -> ArgumentError {
        let arguments = Map::from_iter([(name.to_owned(), value.clone())]);
        self.in_member(name).of_arguments(&arguments)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.problem {
            Problem::Expected { expected, got } => write!(f, "expected {expected}, got {got}"),
            Problem::Said(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault::new(Problem::Said(message.to_string()), None)
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::unexpected(unexpected, expected)
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::unexpected(unexpected, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        let got = format!("{length} item{}", if length == 1 { "" } else { "s" });
        Fault::new(Problem::Expected { expected: words(&expected.to_string()), got }, None)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let names: Vec<String> = expected.iter().map(|name| format!("{name:?}")).collect();
        let expected = match &names[..] {
            [] => "nothing here".to_owned(),
            [only] => only.clone(),
            names => format!("one of {}", names.join(", ")),
        };
        let leaf = Value::from(variant);
        Fault::new(Problem::Expected { expected, got: leaf.to_string() }, Some(leaf))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let text = match did_you_mean(field, expected.iter().copied()) {
            Some(name) => format!("not known here; did you mean `{name}`?"),
            None if expected.is_empty() => "not known here; leave it out".to_owned(),
            None => format!("not known here; known are `{}`", expected.join("`, `")),
        };
        Fault::new(Problem::Said(text), None).in_member(field)
    }

    fn missing_field(field: &'static str) -> Self {
        Fault::new(Problem::Said("missing, and it is required".to_owned()), None).in_member(field)
    }
}

/// What a type expects, in words for someone who does not know the type.
fn words(expected: &str) -> String {
    macro_rules! integer {
        ($name:expr, $nonzero:expr, $($type:ident)*) => {
            match $name {
                $(stringify!($type) => Some(match ($nonzero, $type::MIN == 0) {
                    (false, _) => format!("an integer from {} to {}", $type::MIN, $type::MAX),
                    (true, true) => format!("an integer from 1 to {}", $type::MAX),
                    (true, false) => format!("an integer from {} to {} other than 0", $type::MIN, $type::MAX),
                }),)*
                _ => None,
            }
        };
    }
    let (name, is_nonzero) = match expected.strip_prefix("a nonzero ") {
        Some(name) => (name, true),
        None => (expected, false),
    };
    if let Some(text) = integer!(name, is_nonzero, i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize) {
        return text;
    }
    match expected {
        "f32" => format!("a number from {:e} to {:e}", f32::MIN, f32::MAX),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a character" => "a string of one character".to_owned(),
        "unit" => "null".to_owned(),
        "a sequence" => "an array".to_owned(),
        "a map" => "an object".to_owned(),
        _ => typed(expected).unwrap_or_else(|| expected.to_owned()),
    }
}

/// What a type of the program is in JSON, without its name.
fn typed(expected: &str) -> Option<String> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| expected.starts_with(prefix));
    let size = || expected.rsplit_once("with ").or(expected.rsplit_once("of size ")).map(|(_, size)| size);
    let array = || match size().map(|size| size.trim_end_matches(|c: char| c.is_alphabetic() || c == ' ')) {
        Some("1") => "an array of 1 item".to_owned(),
        Some(size) if !size.is_empty() && size.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("an array of {size} items")
        }
        _ => "an array".to_owned(),
    };
    if starts(&["struct ", "struct variant "]) && !expected.contains(" with ") {
        Some("an object".to_owned())
    } else if starts(&["a tuple of size ", "an array of length ", "tuple struct ", "tuple variant "]) {
        Some(array())
    } else if starts(&["internally tagged enum ", "adjacently tagged enum "]) {
        Some("an object with the key that names its kind".to_owned())
    } else if starts(&["enum ", "variant identifier"]) {
        Some("the name of one of the variants".to_owned())
    } else if starts(&["unit struct ", "unit variant "]) {
        Some("null".to_owned())
    } else {
        None
    }
}

fn written(steps: &[Step], outer: &Path<'_>) -> String {
    match steps.split_first() {
        None => outer.to_string(),
        Some((Step::Key(key), inner)) => written(inner, &outer.key(key)),
        Some((Step::Index(index), inner)) => written(inner, &outer.index(*index)),
    }
}

fn at<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
    })
}

/// The way to the only place inside of `value` where `leaf` is.
fn only(value: &Value, leaf: &Value) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    search(value, leaf, &mut Vec::new(), &mut found);
    sole(found)
}

fn only_member(members: &Map<String, Value>, leaf: &Value) -> Option<Vec<Step>> {
    let mut found = Vec::new();
    for (key, member) in members {
        search(member, leaf, &mut vec![Step::Key(key.clone())], &mut found);
    }
    sole(found)
}

fn sole(mut found: Vec<Vec<Step>>) -> Option<Vec<Step>> {
    if found.len() == 1 { found.pop() } else { None }
}

fn search(value: &Value, leaf: &Value, way: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    let mut inside = |step: Step, inner: &Value| {
        way.push(step);
        search(inner, leaf, way, found);
        way.pop();
    };
    match value {
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| inside(Step::Index(index), item)),
        Value::Object(members) => members.iter().for_each(|(key, member)| inside(Step::Key(key.clone()), member)),
        _ if found.len() < 2 && number::equal(value, leaf) => found.push(way.clone()),
        _ => {}
    }
}
