//! What a type makes of an argument that is not there.

use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, Visitor, value::Error as ValueError};
use serde::forward_to_deserialize_any;

use super::error::ArgumentError;

/// A deserializer for an argument that is not there: an `Option` becomes `None`, everything else is an error that names
/// the argument.
#[derive(Clone, Copy, Debug)]
pub struct MissingArgument<'a>(pub &'a str);

impl<'de> Deserializer<'de> for MissingArgument<'_> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom(format_args!("missing argument `{}`", self.0)))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, ValueError> for MissingArgument<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The value of the argument `name` when it is not there.
///
/// # Errors
/// If the type has no such value.
pub fn decode_missing<T: DeserializeOwned>(name: &str) -> Result<T, ArgumentError> {
    T::deserialize(MissingArgument(name)).map_err(|_| ArgumentError::Decode {
        argument: name.to_owned(),
        message: "missing, and it is required".to_owned(),
    })
}

/// Whether an argument of this type may be left out.
pub fn is_optional<T: DeserializeOwned>() -> bool {
    T::deserialize(MissingArgument("")).is_ok()
}
