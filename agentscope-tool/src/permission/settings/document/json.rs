//! Reading JSON. `serde_json` does not say where a value is, but it takes its bytes one by one and never more than it
//! needs: how many it has taken when it meets a value tells where that is.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::{Document, SyntaxFault};
use crate::schema::Path;

/// Reads JSON. A key that is there twice is a fault: one of the two would be lost.
pub(in super::super) fn json(text: &str) -> Result<Document, Vec<SyntaxFault>> {
    let walk = Walk { text, taken: Cell::new(0), places: RefCell::default(), doubled: RefCell::default() };
    let mut deserializer = serde_json::Deserializer::from_reader(Counted { rest: text.as_bytes(), taken: &walk.taken });
    let value = Place { walk: &walk, path: Path::ROOT }.deserialize(&mut deserializer);
    let value = value.and_then(|value| deserializer.end().map(|()| value));
    let doubled = walk.doubled.into_inner();
    match value {
        Ok(value) if doubled.is_empty() => Ok(Document { value, places: walk.places.into_inner() }),
        Ok(_) => Err(doubled),
        Err(error) => {
            let text = error.to_string();
            let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
            let offset = walk.taken.get().saturating_sub(1);
            Err(vec![SyntaxFault { offset, message: format!("this is no JSON: {message}") }])
        }
    }
}

struct Walk<'t> {
    text: &'t str,
    taken: Cell<usize>,
    places: RefCell<HashMap<String, usize>>,
    doubled: RefCell<Vec<SyntaxFault>>,
}

/// The text, and how many of its bytes were taken.
struct Counted<'t> {
    rest: &'t [u8],
    taken: &'t Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Never more than one, however much is wanted.
        let wanted = buffer.len().min(1);
        let read = self.rest.read(&mut buffer[..wanted])?;
        self.taken.set(self.taken.get() + read);
        Ok(read)
    }
}

impl Walk<'_> {
    /// The byte that was taken last.
    fn last(&self) -> usize {
        self.taken.get().saturating_sub(1)
    }

    /// The opening quote of the text whose closing quote was taken last.
    fn opening_quote(&self) -> usize {
        let before = &self.text.as_bytes()[..self.last()];
        let is_escaped = |at: usize| before[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
        (0..before.len()).rev().find(|at| before[*at] == b'"' && !is_escaped(*at)).unwrap_or(0)
    }
}

/// A value at its path.
#[derive(Clone, Copy)]
struct Place<'p> {
    walk: &'p Walk<'p>,
    path: Path<'p>,
}

impl Place<'_> {
    /// Keeps where the value is, unless its key, where the eye looks first, has been met already.
    fn is_at(&self, offset: usize) {
        self.walk.places.borrow_mut().entry(self.path.to_string()).or_insert(offset);
    }

    fn leaf<E>(self, value: Value, offset: usize) -> Result<Value, E> {
        self.is_at(offset);
        Ok(value)
    }
}

impl<'de> DeserializeSeed<'de> for Place<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Place<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        self.leaf(text.into(), self.walk.opening_quote())
    }

    fn visit_bool<E: Error>(self, yes: bool) -> Result<Value, E> {
        self.leaf(yes.into(), self.walk.last())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        self.leaf(number.into(), self.walk.last())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        self.leaf(number.into(), self.walk.last())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        self.leaf(number.into(), self.walk.last())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.leaf(Value::Null, self.walk.last())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        self.is_at(self.walk.last());
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Place { walk: self.walk, path: self.path.index(items.len()) })? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        self.is_at(self.walk.last());
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let member = Place { walk: self.walk, path: self.path.key(&key) };
            let offset = self.walk.opening_quote();
            member.is_at(offset);
            let value = map.next_value_seed(member)?;
            if members.insert(key.clone(), value).is_some() {
                let message = format!("the key `{key}` is there twice; put the two together");
                self.walk.doubled.borrow_mut().push(SyntaxFault { offset, message });
            }
        }
        Ok(Value::Object(members))
    }
}
