//! References: replaced by what they refer to, unless that is recursive.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::keys::for_each_inner;
use crate::schema::pointer::{percent_decoded, unescaped};

/// How deep the result may become; no type written by hand comes near.
const MAX_DEPTH: usize = 128;

/// Inlines every reference of `root` that is not recursive. Also returns the definitions that are still needed, in their order.
pub(super) fn inline(mut root: Value) -> (Value, Map<String, Value>) {
    let mut definitions = Map::new();
    if let Value::Object(root) = &mut root {
        for key in ["$defs", "definitions"] {
            if let Some(Value::Object(more)) = root.remove(key) {
                definitions.extend(more);
            }
        }
    }
    let recursive: BTreeSet<String> =
        definitions.keys().filter(|name| reaches(name, name, &definitions, &mut BTreeSet::new())).cloned().collect();
    let inliner = Inliner { definitions: &definitions, recursive: &recursive };
    inliner.resolve(&mut root, 0);
    let mut kept: Map<String, Value> = definitions
        .iter()
        .filter(|(name, _)| recursive.contains(*name))
        .map(|(name, schema)| (name.clone(), schema.clone()))
        .collect();
    kept.values_mut().for_each(|schema| inliner.resolve(schema, 0));
    // Recursive types that nothing leads to any more.
    let mut used = BTreeSet::new();
    mark(&root, &kept, &mut used);
    kept.retain(|name, _| used.contains(name));
    (root, kept)
}

/// The name of a definition that a reference points to.
fn definition_name(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("#/$defs/").or_else(|| reference.strip_prefix("#/definitions/"))?;
    Some(unescaped(&percent_decoded(name)))
}

/// The references directly or indirectly inside of a schema.
fn references(schema: &Value, found: &mut dyn FnMut(&str)) {
    let Value::Object(schema) = schema else { return };
    if let Some(Value::String(reference)) = schema.get("$ref") {
        found(reference);
    }
    // A copy, since one walk serves for reading and writing; schemas are small and this runs once per tool.
    for_each_inner(&mut schema.clone(), &mut |inner| references(inner, found));
}

/// Whether the definition `from` leads to the definition `to`.
fn reaches(from: &str, to: &str, definitions: &Map<String, Value>, seen: &mut BTreeSet<String>) -> bool {
    let mut next = Vec::new();
    if let Some(schema) = definitions.get(from) {
        references(schema, &mut |reference| next.extend(definition_name(reference)));
    }
    next.into_iter().any(|name| name == to || (seen.insert(name.clone()) && reaches(&name, to, definitions, seen)))
}

/// Notes every definition that `schema` leads to.
fn mark(schema: &Value, definitions: &Map<String, Value>, used: &mut BTreeSet<String>) {
    let mut next = Vec::new();
    references(schema, &mut |reference| next.extend(definition_name(reference)));
    for name in next {
        if used.insert(name.clone())
            && let Some(schema) = definitions.get(&name)
        {
            mark(schema, definitions, used);
        }
    }
}

struct Inliner<'a> {
    definitions: &'a Map<String, Value>,
    recursive: &'a BTreeSet<String>,
}

impl Inliner<'_> {
    fn resolve(&self, schema: &mut Value, depth: usize) {
        let Value::Object(object) = schema else { return };
        if depth > MAX_DEPTH {
            return;
        }
        // A definition may be a mere reference to another one.
        while let Some(target) = self.target(object) {
            object.remove("$ref");
            merge(object, target);
        }
        for_each_inner(object, &mut |inner| self.resolve(inner, depth + 1));
    }

    /// What the schema's reference is to be replaced by.
    fn target(&self, schema: &mut Map<String, Value>) -> Option<Value> {
        let Some(Value::String(reference)) = schema.get_mut("$ref") else { return None };
        let name = definition_name(reference)?;
        if self.recursive.contains(&name) {
            *reference = reference.replacen("#/definitions/", "#/$defs/", 1);
            return None;
        }
        self.definitions.get(&name).cloned()
    }
}

/// Adds `inner`, which applies to the same value, to `outer`. What `outer` says of itself (its description) wins.
pub(super) fn merge(outer: &mut Map<String, Value>, inner: Value) {
    let inner = match inner {
        Value::Object(inner) => inner,
        Value::Bool(true) => return,
        other => {
            push_all_of(outer, other);
            return;
        }
    };
    if !fits(outer, &inner) {
        push_all_of(outer, Value::Object(inner));
        return;
    }
    for (key, value) in inner {
        match (outer.get_mut(&key), value) {
            (Some(Value::Object(ours)), Value::Object(theirs)) if key == "properties" => ours.extend(theirs),
            (Some(Value::Array(ours)), Value::Array(theirs)) if key == "required" => {
                let new: Vec<Value> = theirs.into_iter().filter(|name| !ours.contains(name)).collect();
                ours.extend(new);
            }
            (Some(ours), theirs) => {
                if is_stricter(&key, &theirs, ours) {
                    *ours = theirs;
                }
            }
            (None, value) => drop(outer.insert(key, value)),
        }
    }
}

/// Remarks, which do not have to hold together.
const REMARKS: &[&str] =
    &["description", "title", "default", "examples", "deprecated", "readOnly", "writeOnly", "$schema", "$comment"];

/// Whether the rules of the two schemas can stand in one.
fn fits(outer: &Map<String, Value>, inner: &Map<String, Value>) -> bool {
    // These speak of "all other keys" or "all other items", and would speak of others after a merge.
    const OF_THE_REST: &[&str] =
        &["additionalProperties", "unevaluatedProperties", "patternProperties", "items", "prefixItems", "contains"];
    let rest = |schema: &Map<String, Value>| OF_THE_REST.iter().any(|key| schema.contains_key(*key));
    let rules =
        |schema: &Map<String, Value>| schema.keys().any(|key| !REMARKS.contains(&key.as_str()) && key != "type");
    if (rest(outer) && rules(inner)) || (rest(inner) && rules(outer)) {
        return false;
    }
    inner.iter().all(|(key, theirs)| match (key.as_str(), outer.get(key)) {
        (_, None) => true,
        (key, _) if REMARKS.contains(&key) || key.starts_with("x-") => true,
        ("properties", Some(ours)) => {
            let names = theirs.as_object().into_iter().flat_map(Map::keys);
            ours.as_object().is_some_and(|ours| names.into_iter().all(|name| !ours.contains_key(name)))
        }
        ("required", _) => true,
        (key, _) if is_bound(key) => true,
        (_, Some(ours)) => ours == theirs,
    })
}

/// Bounds: of two, the stricter one holds.
fn is_bound(key: &str) -> bool {
    key.starts_with("min") || key.starts_with("max") || key.starts_with("exclusive")
}

fn is_stricter(key: &str, new: &Value, old: &Value) -> bool {
    let (Some(new), Some(old)) = (new.as_f64(), old.as_f64()) else { return false };
    is_bound(key) && if key.to_ascii_lowercase().contains("max") { new < old } else { new > old }
}

fn push_all_of(outer: &mut Map<String, Value>, inner: Value) {
    match outer.entry("allOf").or_insert_with(|| json!([])) {
        Value::Array(all) => all.push(inner),
        other => *other = json!([inner]),
    }
}
