//! Enums whose variants are named by a text, or by the only key of an object.

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, Unexpected, VariantAccess, Visitor};
use serde_json::{Map, Value};

use super::Input;
use super::fault::Fault;

/// A variant without data.
pub(super) fn of_text<'de, V: Visitor<'de>>(name: &'de str, visitor: V) -> Result<V::Value, Fault> {
    visitor.visit_enum(Variant { name, content: None })
}

/// A variant with data.
pub(super) fn of_object<'de, V: Visitor<'de>>(members: &'de Map<String, Value>, visitor: V) -> Result<V::Value, Fault> {
    let mut entries = members.iter();
    match (entries.next(), entries.next()) {
        (Some((name, content)), None) => visitor.visit_enum(Variant { name, content: Some(content) }),
        _ => Err(Fault::invalid_value(Unexpected::Map, &"an object with a single key")),
    }
}

struct Variant<'de> {
    name: &'de str,
    content: Option<&'de Value>,
}

impl<'de> EnumAccess<'de> for Variant<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        Ok((seed.deserialize(BorrowedStrDeserializer::<Fault>::new(self.name))?, self))
    }
}

impl<'de> Variant<'de> {
    /// What the variant holds, for one that must hold something.
    fn inside<T>(self, expected: &str, read: impl FnOnce(Input<'de>) -> Result<T, Fault>) -> Result<T, Fault> {
        match self.content {
            Some(content) => read(Input(content)).map_err(|fault| fault.in_member(self.name)),
            None => {
                let expected = format!("an object {{{:?}: {expected}}}", self.name);
                Err(Fault::invalid_type(Unexpected::Str(self.name), &expected.as_str()))
            }
        }
    }
}

impl<'de> VariantAccess<'de> for Variant<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            None | Some(Value::Null) => Ok(()),
            Some(content) => {
                let fault = Input(content).wrong_type(&serde::de::IgnoredAny);
                Err(fault.expecting("null").in_member(self.name))
            }
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        self.inside("…", |content| seed.deserialize(content))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.inside("[…]", |content| content.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        self.inside("{…}", |content| content.deserialize_map(visitor))
    }
}
