//! From checked arguments to a type, without copying them.
//!
//! `serde_json` would do, but for two things: it makes an infinity of a number that is too large for an `f32`, and its
//! errors neither say where in the arguments they are nor speak the language of someone who writes JSON.

mod fault;
mod key;
mod variant;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value, map};

use super::error::ArgumentError;
use fault::Fault;

/// Decodes the arguments into their type.
///
/// # Errors
/// If the type refuses them; the error names the place.
pub fn decode<T: DeserializeOwned>(arguments: &Map<String, Value>) -> Result<T, ArgumentError> {
    T::deserialize(Arguments(arguments)).map_err(|fault| fault.of_arguments(arguments))
}

/// Decodes one argument.
///
/// # Errors
/// If the type refuses it; the error names the place.
pub fn decode_argument<T: DeserializeOwned>(name: &str, value: &Value) -> Result<T, ArgumentError> {
    T::deserialize(Input(value)).map_err(|fault| fault.of_argument(name, value))
}

/// The arguments as a deserializer. They are an object that may be decoded as "nothing" if it is empty.
struct Arguments<'de>(&'de Map<String, Value>);

impl<'de> Deserializer<'de> for Arguments<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visit_object(self.0, visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.is_empty() { visitor.visit_unit() } else { self.deserialize_any(visitor) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        variant::of_object(self.0, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

/// A value as a deserializer.
#[derive(Clone, Copy)]
struct Input<'de>(&'de Value);

impl Input<'_> {
    /// The error for a value of another type than the visitor can take.
    fn wrong_type<'de, V: Visitor<'de>>(self, visitor: &V) -> Fault {
        let unexpected = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => Unexpected::Unsigned(number),
                (_, Some(number), _) => Unexpected::Signed(number),
                (_, _, Some(number)) => Unexpected::Float(number),
                _ => Unexpected::Other("a number"),
            },
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Fault::invalid_type(unexpected, visitor)
    }
}

/// Methods that take a number of any kind: the visitor knows which ones it can hold.
macro_rules! numbers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            match self.0 {
                Value::Number(_) => self.deserialize_any(visitor),
                _ => Err(self.wrong_type(&visitor)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Input<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64(), number.as_f64()) {
                (Some(number), _, _) => visitor.visit_u64(number),
                (_, Some(number), _) => visitor.visit_i64(number),
                (_, _, Some(number)) => visitor.visit_f64(number),
                _ => Err(self.wrong_type(&visitor)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => visit_array(items, visitor),
            Value::Object(members) => visit_object(members, visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f64
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.as_f64() {
            Some(number) if (number as f32).is_infinite() => {
                Err(Fault::invalid_value(Unexpected::Float(number), &"f32"))
            }
            _ => self.deserialize_f64(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Array(items) => visit_array(items, visitor),
            _ => self.deserialize_str(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        // Types of `serde_json` that it alone knows how to feed.
        if name.starts_with("$serde_json::private::") {
            return self.0.deserialize_newtype_struct(name, visitor).map_err(Fault::custom);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Array(items) => visit_array(items, visitor),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Object(members) => visit_object(members, visitor),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::Array(items) => visit_array(items, visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0 {
            Value::String(name) => variant::of_text(name, visitor),
            Value::Object(members) => variant::of_object(members, visitor),
            _ => Err(self.wrong_type(&visitor)),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }
}

fn visit_array<'de, V: Visitor<'de>>(items: &'de [Value], visitor: V) -> Result<V::Value, Fault> {
    let mut access = Items { items, next: 0 };
    let value = visitor.visit_seq(&mut access)?;
    if access.next < items.len() {
        let expected = format!("an array of at most {} items", access.next);
        return Err(Fault::invalid_length(items.len(), &expected.as_str()));
    }
    Ok(value)
}

struct Items<'de> {
    items: &'de [Value],
    next: usize,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Fault> {
        let Some(item) = self.items.get(self.next) else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(Input(item)).map(Some).map_err(|fault| fault.in_item(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len() - self.next)
    }
}

fn visit_object<'de, V: Visitor<'de>>(members: &'de Map<String, Value>, visitor: V) -> Result<V::Value, Fault> {
    visitor.visit_map(Members { rest: members.iter(), current: None })
}

struct Members<'de> {
    rest: map::Iter<'de>,
    current: Option<(&'de String, &'de Value)>,
}

impl<'de> MapAccess<'de> for Members<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        self.current = self.rest.next();
        let Some((key, _)) = self.current else { return Ok(None) };
        seed.deserialize(key::Key(key)).map(Some).map_err(|fault| fault.in_key(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some((key, value)) = self.current.take() else { return Err(Fault::custom("a value without its key")) };
        seed.deserialize(Input(value)).map_err(|fault| fault.in_member(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

#[cfg(test)]
mod tests;
