//! JSON before its types are settled: numbers are still the text that was written.

use serde_json::{Map, Value};

use super::literal;

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Raw {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    Array(Vec<Raw>),
    Object(Vec<(String, Raw)>),
}

/// A number that cannot be kept exactly.
#[derive(Clone, Debug)]
pub(super) struct Lossy {
    pub(super) path: String,
    pub(super) literal: String,
}

impl Raw {
    /// How many values this one is made of, itself included.
    pub(super) fn size(&self) -> usize {
        match self {
            Raw::Array(items) => 1 + items.iter().map(Raw::size).sum::<usize>(),
            Raw::Object(members) => 1 + members.iter().map(|(_, value)| value.size()).sum::<usize>(),
            _ => 1,
        }
    }

    /// The value as plain JSON. `path` writes the place of the value, and is asked only on an error.
    pub(super) fn to_value(&self, path: &dyn Fn() -> String) -> Result<Value, Lossy> {
        Ok(match self {
            Raw::Null => Value::Null,
            Raw::Bool(value) => Value::Bool(*value),
            Raw::Number(literal) => {
                Value::Number(literal::exact(literal).ok_or_else(|| Lossy { path: path(), literal: literal.clone() })?)
            }
            Raw::Text(text) => Value::String(text.clone()),
            Raw::Array(items) => Value::Array(items.iter().map(|item| item.to_value(path)).collect::<Result<_, _>>()?),
            Raw::Object(members) => Value::Object(
                members
                    .iter()
                    .map(|(key, value)| Ok((key.clone(), value.to_value(path)?)))
                    .collect::<Result<Map<_, _>, _>>()?,
            ),
        })
    }
}

impl From<Value> for Raw {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Raw::Null,
            Value::Bool(value) => Raw::Bool(value),
            Value::Number(number) => Raw::Number(number.to_string()),
            Value::String(text) => Raw::Text(text),
            Value::Array(items) => Raw::Array(items.into_iter().map(Raw::from).collect()),
            Value::Object(members) => {
                Raw::Object(members.into_iter().map(|(key, value)| (key, Raw::from(value))).collect())
            }
        }
    }
}
