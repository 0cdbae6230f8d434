//! Reading TOML.

use std::collections::HashMap;

use serde_json::{Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Document, SyntaxFault};
use crate::schema::Path;

/// Reads TOML.
pub(in super::super) fn toml(text: &str) -> Result<Document, Vec<SyntaxFault>> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut walk = Walk { places: HashMap::from([(String::new(), 0)]), faults: Vec::new() };
    // What follows from the first error is rarely a fault of its own.
    if let Some(error) = errors.first() {
        let message = format!("this is no TOML: {}", error.message().replace('\n', ", "));
        return Err(vec![SyntaxFault { offset: error.span().map_or(0, |span| span.start), message }]);
    }
    let value = walk.table(root.get_ref(), Path::ROOT);
    if walk.faults.is_empty() { Ok(Document { value, places: walk.places }) } else { Err(walk.faults) }
}

struct Walk {
    places: HashMap<String, usize>,
    faults: Vec<SyntaxFault>,
}

impl Walk {
    fn value(&mut self, spanned: &Spanned<DeValue<'_>>, path: Path<'_>) -> Value {
        let offset = spanned.span().start;
        self.places.entry(path.to_string()).or_insert(offset);
        match spanned.get_ref() {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Integer(number) => {
                let parsed = i64::from_str_radix(number.as_str(), number.radix()).ok().map(Number::from);
                self.number(parsed, number.as_str(), offset)
            }
            DeValue::Float(number) => {
                let parsed = number.as_str().parse().ok().and_then(Number::from_f64);
                self.number(parsed, number.as_str(), offset)
            }
            DeValue::Boolean(yes) => Value::Bool(*yes),
            DeValue::Datetime(moment) => Value::String(moment.to_string()),
            DeValue::Array(items) => {
                let items = items.iter().enumerate();
                Value::Array(items.map(|(index, item)| self.value(item, path.index(index))).collect())
            }
            DeValue::Table(members) => self.table(members, path),
        }
    }

    fn table(&mut self, members: &DeTable<'_>, path: Path<'_>) -> Value {
        let mut ordered: Vec<_> = members.iter().collect();
        ordered.sort_by_key(|(key, _)| key.span().start);
        let members = ordered.into_iter().map(|(key, member)| {
            let place = path.key(key.get_ref());
            // The key is where the eye looks first.
            self.places.insert(place.to_string(), key.span().start);
            (key.get_ref().to_string(), self.value(member, place))
        });
        Value::Object(members.collect())
    }

    fn number(&mut self, parsed: Option<Number>, written: &str, offset: usize) -> Value {
        parsed.map_or_else(
            || {
                let message = format!("the number {written} cannot be kept; write it as a text");
                self.faults.push(SyntaxFault { offset, message });
                Value::Null
            },
            Value::Number,
        )
    }
}
