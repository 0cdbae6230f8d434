//! The short way: JSON by the book, with `serde_json`, except that duplicate keys are noticed.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

/// What the short way came to.
pub(super) enum Outcome {
    /// An object.
    Object { arguments: Map<String, Value>, has_floats: bool },
    /// An object that has this key twice.
    Duplicate(String),
    /// Anything else: the long way has to see.
    Other,
}

/// Another crate of the program may have made `serde_json` keep numbers as text, which changes how they are visited.
static KEEPS_LITERALS: LazyLock<bool> =
    LazyLock::new(|| serde_json::from_str::<Number>("1.10").is_ok_and(|number| number.to_string() == "1.10"));

pub(super) fn parse(text: &str) -> Outcome {
    if *KEEPS_LITERALS {
        return Outcome::Other;
    }
    let mut notes = Notes::default();
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Seed { notes: &mut notes }.deserialize(&mut deserializer);
    if let Some(key) = notes.duplicate {
        return Outcome::Duplicate(key);
    }
    match value {
        Ok(Value::Object(arguments)) if deserializer.end().is_ok() && !notes.may_have_lost_digits(text) => {
            Outcome::Object { arguments, has_floats: notes.has_floats }
        }
        _ => Outcome::Other,
    }
}

/// What was seen on the way.
#[derive(Default)]
struct Notes {
    has_floats: bool,
    duplicate: Option<String>,
}

impl Notes {
    /// Whether a number of the text may have come out as another one. Up to 15 digits without an exponent never do: such a
    /// float is the quotient of two integers that are exact.
    fn may_have_lost_digits(&self, text: &str) -> bool {
        const KEPT: usize = 15;
        let is_long = |run: &[u8]| run.len() > KEPT;
        let bytes = text.as_bytes();
        let has_exponent = || bytes.windows(2).any(|pair| matches!(pair, [b'0'..=b'9', b'e' | b'E']));
        self.has_floats && (bytes.split(|byte| !byte.is_ascii_digit() && *byte != b'.').any(is_long) || has_exponent())
    }
}

struct Seed<'n> {
    notes: &'n mut Notes,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        self.notes.has_floats = true;
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("not a finite number"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut result = Vec::new();
        while let Some(item) = items.next_element_seed(Seed { notes: self.notes })? {
            result.push(item);
        }
        Ok(Value::Array(result))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut result = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            if result.is_empty() {
                // As many as it would get with the first anyhow, but in one step.
                result = Map::with_capacity(3);
            }
            match result.entry(key) {
                Entry::Vacant(entry) => drop(entry.insert(members.next_value_seed(Seed { notes: self.notes })?)),
                Entry::Occupied(entry) => {
                    self.notes.duplicate = Some(entry.key().clone());
                    return Err(A::Error::custom("duplicate key"));
                }
            }
        }
        Ok(Value::Object(result))
    }
}
