//! Which keys an object schema speaks of, with everything that applies to the same object counted in.
//!
//! A typed tool would silently lose a key that its type does not know, so its schema is closed: a schema that lists
//! `properties` admits no others. Where several schemas apply to one object (the parent of a `oneOf` and its branches),
//! each must admit the keys of the others.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::compile::resolve;

/// What a schema says of the keys of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Keys {
    /// Only these are known to it; none, if it does not list any.
    Listed(BTreeSet<String>),
    /// It says outright that others may come.
    Open,
}

impl Keys {
    /// No keys.
    pub(super) fn none() -> Self {
        Keys::Listed(BTreeSet::new())
    }

    /// The keys of both.
    pub(super) fn union(self, other: Keys) -> Keys {
        match (self, other) {
            (Keys::Listed(mut a), Keys::Listed(b)) => {
                a.extend(b);
                Keys::Listed(a)
            }
            _ => Keys::Open,
        }
    }
}

/// How often schemas may be laid on one value before it counts as endless.
const MAX_DEPTH: usize = 64;

/// Whether the schema lists properties and says nothing of other ones.
pub(super) fn is_closable(schema: &Map<String, Value>) -> bool {
    schema.contains_key("properties")
        && !["additionalProperties", "patternProperties", "unevaluatedProperties"]
            .iter()
            .any(|key| schema.contains_key(*key))
}

/// The keys that the schema itself names, without its combinators.
pub(super) fn own(schema: &Map<String, Value>) -> Keys {
    let forbids = |keyword: &str| schema.get(keyword).is_none_or(|value| value == &Value::Bool(false));
    if !forbids("additionalProperties") || !forbids("unevaluatedProperties") || schema.contains_key("patternProperties")
    {
        return Keys::Open;
    }
    let names = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    Keys::Listed(names.cloned().collect())
}

/// The keys of a schema with its combinators. `None` if it refers to itself without end.
pub(super) fn all(schema: &Value, root: &Value) -> Option<Keys> {
    collect(schema, root, 0)
}

fn collect(schema: &Value, root: &Value, depth: usize) -> Option<Keys> {
    if depth > MAX_DEPTH {
        return None;
    }
    let Value::Object(schema) = schema else { return Some(Keys::none()) };
    let mut keys = own(schema);
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(reference, root)) {
        keys = keys.union(collect(target, root, depth + 1)?);
    }
    for branch in ["allOf", "anyOf", "oneOf"].iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten() {
        keys = keys.union(collect(branch, root, depth + 1)?);
    }
    Some(keys)
}
