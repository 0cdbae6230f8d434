//! From the text that a model wrote to a JSON object that its schema admits.
//!
//! Sound JSON that fits its schema takes the short way: one strict parse, one check. Everything else is read once more by
//! a lenient parser, which knows the ways in which models get JSON wrong, and is then fitted to the schema. What comes
//! out is what was meant, or an error: no argument is dropped, no value is changed in its meaning, and a call that was
//! cut off in its middle is not run as if it were whole.

mod decode;
mod error;
mod fit;
mod integers;
mod lenient;
mod literal;
mod missing;
mod quotes;
mod raw;
mod repair;
mod strict;
mod text;

use serde_json::{Map, Value};

use crate::schema::Validator;

pub use decode::{decode, decode_argument};
pub use error::{ArgumentError, Excerpt, Position};
pub use missing::{MissingArgument, decode_missing, is_optional};
pub use repair::{Coercion, Repair};

/// What to do with arguments that end in the middle of a string, an array or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutOff {
    /// Refuse them, as one must for a tool that changes anything: half of a file is not the file.
    Refuse,
    /// Close what is open, which is good enough for a tool that only reads. A key without its value is refused all the same.
    Complete,
}

/// Checked arguments.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parsed {
    /// The arguments by name.
    pub arguments: Map<String, Value>,
    /// What had to be put right; empty for sound JSON that fits its schema.
    pub repairs: Vec<Repair>,
}

/// Reads the arguments of a call from the text that the model sent. Empty text and `null` are no arguments.
///
/// # Errors
/// If the text is no JSON object and cannot be repaired into one without guessing, or if the object does not fit the
/// schema. The text of the error is for the model.
pub fn parse(text: &str, validator: &Validator, cut_off: CutOff) -> Result<Parsed, ArgumentError> {
    match strict::parse(text) {
        strict::Outcome::Duplicate(key) => return Err(ArgumentError::DuplicateKey { key }),
        strict::Outcome::Object { arguments, has_floats } => {
            let mut arguments = Value::Object(arguments);
            if validator.is_valid(&arguments) {
                if has_floats {
                    integers::settle(validator, &mut arguments);
                }
                return Ok(Parsed { arguments: members(arguments), repairs: Vec::new() });
            }
        }
        strict::Outcome::Other => {}
    }
    let mut repairs = Vec::new();
    let raw = lenient::parse(text, cut_off, &mut repairs)?;
    let arguments = fit::fit(&raw, validator, &mut repairs)?;
    Ok(Parsed { arguments, repairs })
}

/// Checks arguments that a program gives as JSON, with the same allowances for their values as [`parse`] makes. `null` is
/// no arguments.
///
/// # Errors
/// If the value is no object, or if the object does not fit the schema.
pub fn check(value: Value, validator: &Validator) -> Result<Map<String, Value>, ArgumentError> {
    let mut arguments = match value {
        Value::Null => Value::Object(Map::new()),
        Value::Object(_) => value,
        other => return Err(ArgumentError::NotAnObject { found: error::kind(&other) }),
    };
    if validator.is_valid(&arguments) {
        integers::settle(validator, &mut arguments);
        return Ok(members(arguments));
    }
    fit::fit(&raw::Raw::from(arguments), validator, &mut Vec::new())
}

/// The members of an object.
fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests;
