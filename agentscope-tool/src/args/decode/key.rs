//! The key of an object, which a map may have as a number or a boolean.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{Deserializer, Error as _, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Number;

use super::fault::Fault;
use crate::args::literal;

/// A key as a deserializer.
pub(super) struct Key<'de>(pub(super) &'de str);

/// Methods that read the key as a number, if it is one.
macro_rules! numbers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            let number: Option<Number> = literal::is_number(self.0).then(|| literal::exact(self.0)).flatten();
            match number.map(|number| (number.as_u64(), number.as_i64(), number.as_f64())) {
                Some((Some(number), _, _)) => visitor.visit_u64(number),
                Some((_, Some(number), _)) => visitor.visit_i64(number),
                Some((_, _, Some(number))) => visitor.visit_f64(number),
                _ => Err(Fault::invalid_type(Unexpected::Str(self.0), &visitor)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_borrowed_str(self.0)
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(Fault::invalid_type(Unexpected::Str(self.0), &visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        BorrowedStrDeserializer::new(self.0).deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
