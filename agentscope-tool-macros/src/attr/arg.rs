//! The keys of `#[arg(…)]` on a parameter.

use proc_macro2::Ident;
use syn::{Attribute, Expr, LitStr};

use super::entries::{self, Entry, Seen, Value, unknown_key};
use crate::errors::Errors;

/// The keys, in the order in which they are listed to the user.
pub(crate) const KEYS: &[&str] =
    &["default", "rename", "description", "range", "length", "pattern", "format", "example", "skip"];

/// The formats that calls are checked against.
pub(crate) const FORMATS: &[&str] = &["date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6"];

/// What `#[arg(…)]` says.
#[derive(Default)]
pub(crate) struct ArgAttr {
    pub(crate) default: Option<DefaultValue>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) range: Option<Bounds>,
    pub(crate) length: Option<Bounds>,
    pub(crate) pattern: Option<LitStr>,
    pub(crate) format: Option<LitStr>,
    pub(crate) examples: Vec<Expr>,
    pub(crate) skip: Option<Ident>,
    /// A `description` key was there but faulty: it must not be reported as missing too.
    pub(crate) has_description_key: bool,
    /// The first key that has no use beside `skip`.
    described: Option<Ident>,
    /// The keys of `pattern` and `format`, for messages about the type.
    pub(crate) pattern_key: Option<Ident>,
    pub(crate) format_key: Option<Ident>,
}

/// `default` or `default = expr`.
pub(crate) enum DefaultValue {
    /// The type's own default.
    OfType(Ident),
    Expr(Expr),
}

/// `min` and `max` of `range` or `length`.
pub(crate) struct Bounds {
    pub(crate) key: Ident,
    pub(crate) min: Option<Expr>,
    pub(crate) max: Option<Expr>,
}

impl ArgAttr {
    /// Reads all `#[arg]` attributes of one parameter.
    pub(crate) fn read<'a>(attrs: impl IntoIterator<Item = &'a Attribute>, errors: &mut Errors) -> Self {
        let mut arg = Self::default();
        let mut seen = Seen::default();
        for attr in attrs {
            for entry in entries::of_attribute(attr, errors) {
                arg.take(entry, &mut seen, errors);
            }
        }
        if let (Some(skip), Some(key)) = (&arg.skip, &arg.described) {
            errors.at(key, format!("`{key}` has no effect beside `{skip}`, which hides the parameter from the model: remove one of them"));
        }
        arg
    }

    fn take(&mut self, entry: Entry, seen: &mut Seen, errors: &mut Errors) {
        let key = entry.key.clone();
        let name = key.to_string();
        if !KEYS.contains(&name.as_str()) {
            // A misspelt description must not be reported as missing too.
            self.has_description_key |= unknown_key(&key, "`#[arg]`", KEYS, errors) == Some("description");
            return;
        }
        if name != "example" && !seen.first(&key, errors) {
            return;
        }
        if !matches!(name.as_str(), "skip" | "default") && self.described.is_none() {
            self.described = Some(key.clone());
        }
        match name.as_str() {
            "default" => {
                self.default = match entry.value {
                    Value::Flag => Some(DefaultValue::OfType(key)),
                    _ => entry.expr("value", errors).map(|(_, expr)| DefaultValue::Expr(expr)),
                }
            }
            "rename" => self.rename = entry.text(errors),
            "description" => {
                self.has_description_key = true;
                self.description = entry.text_expr(errors);
            }
            "range" => self.range = bounds(entry, errors),
            "length" => self.length = bounds(entry, errors),
            "pattern" => {
                self.pattern = entry.text(errors);
                self.pattern_key = Some(key);
            }
            "format" => {
                self.format = entry.text(errors);
                self.format_key = Some(key);
            }
            "example" => self.examples.extend(entry.expr("value", errors).map(|(_, expr)| expr)),
            "skip" => {
                if matches!(entry.value, Value::Flag) {
                    self.skip = Some(key);
                } else {
                    errors.at(key, "`skip` takes no value: write `skip` alone");
                }
            }
            _ => {}
        }
    }
}

fn bounds(entry: Entry, errors: &mut Errors) -> Option<Bounds> {
    let key = entry.key;
    if matches!(entry.value, Value::Broken) {
        return None;
    }
    let Value::List(tokens) = entry.value else {
        errors.at(&key, format!("`{key}` needs its bounds: write `{key}(min = 1, max = 10)`"));
        return None;
    };
    let mut bounds = Bounds { key, min: None, max: None };
    let mut seen = Seen::default();
    let empty = tokens.is_empty();
    for entry in entries::parse(tokens, errors) {
        let name = entry.key.to_string();
        if !matches!(name.as_str(), "min" | "max") {
            unknown_key(&entry.key, &format!("`{}`", bounds.key), &["min", "max"], errors);
        } else if seen.first(&entry.key, errors) {
            let value = entry.expr("1", errors).map(|(_, expr)| expr);
            *(if name == "min" { &mut bounds.min } else { &mut bounds.max }) = value;
        }
    }
    if empty {
        errors.at(&bounds.key, format!("`{}` has no bounds: write `min = …`, `max = …` or both", bounds.key));
    }
    Some(bounds)
}
