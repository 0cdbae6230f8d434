//! From checked arguments to a type, without copying them.

use std::cell::Cell;

use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Value, map};

use super::error::ArgumentError;

/// Decodes the arguments into their type.
///
/// # Errors
/// If the type refuses them; the error names the argument.
pub fn decode<T: DeserializeOwned>(arguments: &Map<String, Value>) -> Result<T, ArgumentError> {
    let current = Cell::new(None);
    T::deserialize(Arguments { members: arguments, current: &current }).map_err(|error| ArgumentError::Decode {
        argument: current.get().unwrap_or_default().to_owned(),
        message: error.to_string(),
    })
}

/// The arguments as a deserializer that notes which one it is at.
struct Arguments<'a, 'c> {
    members: &'a Map<String, Value>,
    current: &'c Cell<Option<&'a str>>,
}

impl<'de> Deserializer<'de> for Arguments<'de, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(Members { rest: self.members.iter(), value: None, current: self.current })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.members.is_empty() { visitor.visit_unit() } else { self.deserialize_any(visitor) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.members.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

struct Members<'a, 'c> {
    rest: map::Iter<'a>,
    value: Option<&'a Value>,
    current: &'c Cell<Option<&'a str>>,
}

impl<'a> MapAccess<'a> for Members<'a, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, value)) = self.rest.next() else {
            self.current.set(None);
            return Ok(None);
        };
        self.value = Some(value);
        self.current.set(Some(key));
        seed.deserialize(serde::de::value::BorrowedStrDeserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let value = self.value.take().unwrap_or(&Value::Null);
        seed.deserialize(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}
