//! A settings file as a JSON value, and where in the text each of its values is.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::schema::Path;

/// A parsed file.
pub(super) struct Document {
    pub(super) value: Value,
    places: HashMap<String, usize>,
}

impl Document {
    /// The byte at which the value at `path` begins, or the nearest value around it that is there.
    pub(super) fn offset(&self, path: &str) -> usize {
        let mut path = path;
        loop {
            if let Some(offset) = self.places.get(path) {
                return *offset;
            }
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return 0,
            }
        }
    }
}

/// What is wrong with a text, and the byte at which it shows.
pub(super) struct SyntaxFault {
    pub(super) offset: usize,
    pub(super) message: String,
}

/// Deeper than any settings, and shallow enough for the stack.
const MAX_DEPTH: usize = 32;

/// Reads JSON. A key that is there twice is a fault: one of the two would be lost.
pub(super) fn json(text: &str) -> Result<Document, Vec<SyntaxFault>> {
    let fault = |error: &serde_json::Error, within: usize, part: &str| SyntaxFault {
        offset: within + offset_of(part, error.line(), error.column()),
        message: format!("this is no JSON: {}", without_place(error)),
    };
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| vec![fault(&error, 0, text)])?;
    let mut walk = JsonWalk { text, places: HashMap::new(), faults: Vec::new() };
    let value = walk.value(raw, Path::ROOT, 0);
    if walk.faults.is_empty() { Ok(Document { value, places: walk.places }) } else { Err(walk.faults) }
}

struct JsonWalk<'t> {
    text: &'t str,
    places: HashMap<String, usize>,
    faults: Vec<SyntaxFault>,
}

impl<'t> JsonWalk<'t> {
    fn value(&mut self, raw: &'t RawValue, path: Path<'_>, depth: usize) -> Value {
        let part = raw.get();
        // A raw value borrows from the text, so its address tells its place.
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        self.places.insert(path.to_string(), offset);
        if depth > MAX_DEPTH {
            self.faults.push(SyntaxFault { offset, message: "this is nested too deeply".into() });
            return Value::Null;
        }
        let parsed = match part.as_bytes().first() {
            Some(b'{') => serde_json::from_str(part).map(|Members(members)| {
                let mut map = Map::new();
                for (key, member) in members {
                    let value = self.value(member, path.key(&key), depth + 1);
                    if map.insert(key.clone(), value).is_some() {
                        let message = format!("the key `{key}` is there twice; put the two together");
                        self.faults.push(SyntaxFault { offset, message });
                    }
                }
                Value::Object(map)
            }),
            Some(b'[') => serde_json::from_str(part).map(|items: Vec<&RawValue>| {
                let items = items.into_iter().enumerate();
                Value::Array(items.map(|(index, item)| self.value(item, path.index(index), depth + 1)).collect())
            }),
            _ => serde_json::from_str(part),
        };
        parsed.unwrap_or_else(|error| {
            self.faults.push(SyntaxFault { offset, message: format!("this is no JSON: {}", without_place(&error)) });
            Value::Null
        })
    }
}

/// The members of an object as they are written, doubled keys included.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<Self::Value, A::Error> {
                Ok(Members(Vec::new()))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// The message of `serde_json` without the place, which is told in another way.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message).to_owned()
}

/// The byte at a line and a column (in bytes) as `serde_json` counts them.
fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (start + column.saturating_sub(1)).min(text.len())
}

/// Reads TOML.
#[cfg(feature = "toml")]
pub(super) fn toml(text: &str) -> Result<Document, Vec<SyntaxFault>> {
    use ::toml::Spanned;
    use ::toml::de::{DeTable, DeValue};

    fn value(spanned: &Spanned<DeValue<'_>>, path: Path<'_>, places: &mut HashMap<String, usize>) -> Value {
        places.insert(path.to_string(), spanned.span().start);
        match spanned.get_ref() {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| Value::String(number.to_string()), Value::from),
            DeValue::Float(number) => number
                .as_str()
                .parse()
                .ok()
                .and_then(serde_json::Number::from_f64)
                .map_or_else(|| Value::String(number.to_string()), Value::Number),
            DeValue::Boolean(yes) => Value::Bool(*yes),
            DeValue::Datetime(moment) => Value::String(moment.to_string()),
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                Value::Array(items.map(|(index, item)| value(item, path.index(index), places)).collect())
            }
            DeValue::Table(members) => table(members, path, places),
        }
    }

    fn table(members: &DeTable<'_>, path: Path<'_>, places: &mut HashMap<String, usize>) -> Value {
        let mut ordered: Vec<_> = members.iter().collect();
        ordered.sort_by_key(|(key, _)| key.span().start);
        let members = ordered.into_iter().map(|(key, member)| {
            let place = path.key(key.get_ref());
            let value = value(member, place, places);
            // The key is where the eye looks first.
            places.insert(place.to_string(), key.span().start);
            (key.get_ref().to_string(), value)
        });
        Value::Object(members.collect())
    }

    let (root, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let fault = |error: &::toml::de::Error| SyntaxFault {
            offset: error.span().map_or(0, |span| span.start),
            message: format!("this is no TOML: {}", error.message().replace('\n', ", ")),
        };
        return Err(errors.iter().map(fault).collect());
    }
    let mut places = HashMap::from([(String::new(), 0)]);
    let value = table(root.get_ref(), Path::ROOT, &mut places);
    Ok(Document { value, places })
}
