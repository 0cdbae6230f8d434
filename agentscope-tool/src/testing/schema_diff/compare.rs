//! Going through two schemas side by side.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::change::{ChangeKind, SchemaChange};

/// The types of JSON Schema; an integer is a number, too.
const TYPES: [&str; 7] = ["object", "array", "string", "integer", "number", "boolean", "null"];

/// Which way a constraint becomes tighter.
#[derive(Clone, Copy)]
enum Tighter {
    Up,
    Down,
    /// Any other value is another constraint.
    Other,
    /// `true` is tighter.
    True,
}

const CONSTRAINTS: [(&str, Tighter); 16] = [
    ("minimum", Tighter::Up),
    ("exclusiveMinimum", Tighter::Up),
    ("maximum", Tighter::Down),
    ("exclusiveMaximum", Tighter::Down),
    ("multipleOf", Tighter::Other),
    ("minLength", Tighter::Up),
    ("maxLength", Tighter::Down),
    ("pattern", Tighter::Other),
    ("format", Tighter::Other),
    ("minItems", Tighter::Up),
    ("maxItems", Tighter::Down),
    ("uniqueItems", Tighter::True),
    ("minContains", Tighter::Up),
    ("maxContains", Tighter::Down),
    ("minProperties", Tighter::Up),
    ("maxProperties", Tighter::Down),
];

/// Keywords that are compared, or mean nothing for what is accepted.
const KNOWN: [&str; 24] = [
    "type",
    "enum",
    "const",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "prefixItems",
    "anyOf",
    "oneOf",
    "$ref",
    "$defs",
    "definitions",
    "description",
    "default",
    "title",
    "examples",
    "example",
    "deprecated",
    "$schema",
    "$id",
    "$comment",
    "readOnly",
    "writeOnly",
];

/// More alternatives than that are not told apart.
const MOST_ALTERNATIVES: usize = 64;

/// Deeper than that nothing is compared.
const DEPTH: usize = 64;

pub(super) struct Comparison<'v> {
    tool: &'v str,
    old_root: &'v Value,
    new_root: &'v Value,
    /// The definitions that are being compared, by where they are: schemas may be recursive.
    seen: HashSet<(*const Value, *const Value)>,
    changes: Vec<SchemaChange>,
}

impl<'v> Comparison<'v> {
    pub(super) fn new(tool: &'v str, old: &'v Value, new: &'v Value) -> Self {
        Self { tool, old_root: old, new_root: new, seen: HashSet::new(), changes: Vec::new() }
    }

    pub(super) fn run(mut self) -> Vec<SchemaChange> {
        let (old, new) = (self.old_root, self.new_root);
        self.node(old, new, "", 0);
        self.changes
    }

    fn change(&mut self, path: &str, kind: ChangeKind) {
        let change = SchemaChange::new(self.tool, path, kind);
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }

    fn node(&mut self, old: &'v Value, new: &'v Value, path: &str, depth: usize) {
        if depth > DEPTH || std::ptr::eq(old, new) {
            return;
        }
        self.words(old, new, path);
        let (old, new) = (resolved(self.old_root, old), resolved(self.new_root, new));
        if old == new && !has_ref(old) || !self.seen.insert((old, new)) {
            return;
        }
        self.words(old, new, path);
        let (before, after) = (alternatives(self.old_root, old), alternatives(self.new_root, new));
        match (&before[..], &after[..]) {
            ([old], [new]) => self.single(old, new, path, depth),
            _ => self.several(&before, &after, path, depth),
        }
        self.seen.remove(&(std::ptr::from_ref(old), std::ptr::from_ref(new)));
    }

    /// Descriptions and defaults, which lie beside a reference too.
    fn words(&mut self, old: &Value, new: &Value, path: &str) {
        if old.get("description") != new.get("description") {
            self.change(path, ChangeKind::Described);
        }
        if old.get("default") != new.get("default") {
            let kind =
                ChangeKind::DefaultChanged { from: old.get("default").cloned(), to: new.get("default").cloned() };
            self.change(path, kind);
        }
    }

    /// Two schemas without alternatives.
    fn single(&mut self, old: &'v Value, new: &'v Value, path: &str, depth: usize) {
        let (before, after) = (types(old), types(new));
        let gone: Vec<_> = before.iter().filter(|kind| !accepts(&after, kind)).copied().collect();
        let more: Vec<_> = after.iter().filter(|kind| !accepts(&before, kind)).copied().collect();
        if gone.len() == before.len() && !before.is_empty() && !after.is_empty() {
            return self.change(path, ChangeKind::TypeChanged { from: words(&before), to: words(&after) });
        }
        match (before.is_empty(), after.is_empty()) {
            (true, false) => {
                self.change(path, ChangeKind::TypeChanged { from: words(&before), to: words(&after) });
            }
            (false, true) => self.change(path, ChangeKind::TypeWidened { by: words(&after) }),
            _ => {}
        }
        if !gone.is_empty() {
            self.change(path, ChangeKind::TypeNarrowed { by: words(&gone) });
        }
        if !before.is_empty() && !more.is_empty() {
            self.change(path, ChangeKind::TypeWidened { by: words(&more) });
        }
        self.values(old, new, path);
        for (keyword, tighter) in CONSTRAINTS {
            self.constraint(keyword, tighter, old.get(keyword), new.get(keyword), path);
        }
        self.object(old, new, path, depth);
        self.array(old, new, path, depth);
        self.rest(old, new, path);
    }

    fn values(&mut self, old: &Value, new: &Value, path: &str) {
        match (closed_set(old), closed_set(new)) {
            (None, None) => {}
            (None, Some(_)) => self.change(path, ChangeKind::ValuesClosed),
            (Some(_), None) => self.change(path, ChangeKind::ValuesOpened),
            (Some(before), Some(after)) => {
                for value in before.iter().filter(|value| !after.contains(value)) {
                    self.change(path, ChangeKind::ValueRemoved((*value).clone()));
                }
                for value in after.iter().filter(|value| !before.contains(value)) {
                    self.change(path, ChangeKind::ValueAdded((*value).clone()));
                }
            }
        }
    }

    fn constraint(
        &mut self,
        keyword: &'static str,
        tighter: Tighter,
        old: Option<&Value>,
        new: Option<&Value>,
        path: &str,
    ) {
        if old == new {
            return;
        }
        let number = |value: Option<&Value>| value.and_then(Value::as_f64);
        let is_tighter = match (old, new) {
            (_, None) => false,
            (None, Some(_)) if !matches!(tighter, Tighter::True) => true,
            (from, Some(to)) => match (tighter, number(from), number(new)) {
                (Tighter::Up, Some(from), Some(to)) => to > from,
                (Tighter::Down, Some(from), Some(to)) => to < from,
                (Tighter::True, _, _) => to == &Value::Bool(true),
                _ => true,
            },
        };
        let (from, to) = (old.cloned(), new.cloned());
        self.change(
            path,
            match is_tighter {
                true => ChangeKind::Tightened { keyword, from, to },
                false => ChangeKind::Loosened { keyword, from, to },
            },
        );
    }

    fn object(&mut self, old: &'v Value, new: &'v Value, path: &str, depth: usize) {
        let empty = Map::new();
        let properties = |schema: &'v Value| schema.get("properties").and_then(Value::as_object);
        let (before, after) = (properties(old), properties(new));
        let (old_required, new_required) = (required(old), required(new));
        let has = |properties: Option<&Map<String, Value>>, name: &str| properties.unwrap_or(&empty).contains_key(name);
        let mut added: Vec<(&'v String, &'v Value)> =
            after.into_iter().flatten().filter(|(name, _)| !has(before, name)).collect();
        for (name, schema) in before.into_iter().flatten() {
            let place = joined(path, name);
            if let Some(now) = after.and_then(|after| after.get(name)) {
                match (old_required.contains(&name.as_str()), new_required.contains(&name.as_str())) {
                    (false, true) => self.change(&place, ChangeKind::BecameRequired),
                    (true, false) => self.change(&place, ChangeKind::BecameOptional),
                    _ => {}
                }
                self.node(schema, now, &place, depth + 1);
                continue;
            }
            let renamed = added.iter().position(|(other, now)| {
                *now == schema && old_required.contains(&name.as_str()) == new_required.contains(&other.as_str())
            });
            if let Some(at) = renamed {
                let (to, _) = added.remove(at);
                self.change(&place, ChangeKind::Renamed { to: to.clone() });
            } else if is_open(new) {
                self.change(&place, ChangeKind::RemovedOpen);
            } else {
                self.change(&place, ChangeKind::Removed);
            }
        }
        for (name, _) in added {
            let kind = match new_required.contains(&name.as_str()) {
                true => ChangeKind::AddedRequired,
                false => ChangeKind::AddedOptional,
            };
            self.change(&joined(path, name), kind);
        }
        match (old.get("additionalProperties"), new.get("additionalProperties")) {
            (before, after) if before == after => {}
            (Some(before), Some(after)) if before.is_object() && after.is_object() => {
                self.node(before, after, &joined(path, "*"), depth + 1);
            }
            (before, after) => {
                let (from, to) = (before.cloned(), after.cloned());
                let keyword = "additionalProperties";
                let closed = matches!(after, Some(Value::Bool(false) | Value::Object(_)));
                let loosened = !closed || matches!(before, Some(Value::Bool(false)));
                self.change(
                    path,
                    match loosened {
                        true => ChangeKind::Loosened { keyword, from, to },
                        false => ChangeKind::Tightened { keyword, from, to },
                    },
                );
            }
        }
    }

    fn array(&mut self, old: &'v Value, new: &'v Value, path: &str, depth: usize) {
        match (old.get("items"), new.get("items")) {
            (Some(before), Some(after)) => self.node(before, after, &format!("{path}[]"), depth + 1),
            (before, after) => self.constraint("items", Tighter::Other, before, after, path),
        }
        let tuple = |schema: &'v Value| schema.get("prefixItems").and_then(Value::as_array);
        match (tuple(old), tuple(new)) {
            (Some(before), Some(after)) if before.len() == after.len() => {
                for (index, (before, after)) in before.iter().zip(after).enumerate() {
                    self.node(before, after, &format!("{path}[{index}]"), depth + 1);
                }
            }
            (before, after) if before == after => {}
            _ => self.change(path, ChangeKind::Other { keyword: "prefixItems".to_owned() }),
        }
    }

    /// Keywords that nobody has compared.
    fn rest(&mut self, old: &Value, new: &Value, path: &str) {
        let keys = |schema: &Value| schema.as_object().map(|map| map.keys().cloned().collect::<Vec<_>>());
        let mut all = keys(old).unwrap_or_default();
        all.extend(keys(new).unwrap_or_default());
        for key in all {
            let known = KNOWN.contains(&key.as_str())
                || CONSTRAINTS.iter().any(|(keyword, _)| *keyword == key)
                || key.starts_with("x-");
            if !known && old.get(&key) != new.get(&key) {
                self.change(path, ChangeKind::Other { keyword: key });
            }
        }
        // `false`, which accepts nothing, or something that is no schema.
        let odd = |schema: &Value| !schema.is_object() && schema != &Value::Bool(true);
        if old != new && (odd(old) || odd(new)) {
            self.change(path, ChangeKind::Other { keyword: "schema".to_owned() });
        }
    }

    /// Schemas with alternatives: each old one should still have its place among the new ones.
    fn several(&mut self, before: &[&'v Value], after: &[&'v Value], path: &str, depth: usize) {
        let same = |old: &Value, new: &Value| old == new && !has_ref(old);
        let mut left: Vec<&'v Value> =
            after.iter().filter(|new| !before.iter().any(|old| same(old, new))).copied().collect();
        let mut gone = Vec::new();
        for &old in before.iter().filter(|old| !after.iter().any(|new| same(old, new))) {
            let alike =
                |new: &&'v Value| types(old) == types(new) && tag(self.old_root, old) == tag(self.new_root, new);
            match left.iter().position(alike) {
                Some(at) => {
                    let new = left.remove(at);
                    self.node(old, new, path, depth + 1);
                }
                None => gone.push(old),
            }
        }
        if !gone.is_empty() {
            self.change(path, ChangeKind::TypeNarrowed { by: named(self.old_root, &gone) });
        }
        if !left.is_empty() {
            self.change(path, ChangeKind::TypeWidened { by: named(self.new_root, &left) });
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The schema behind a reference within its document.
fn resolved<'v>(root: &'v Value, schema: &'v Value) -> &'v Value {
    let mut schema = schema;
    for _ in 0..16 {
        let Some(target) = schema.get("$ref").and_then(Value::as_str) else { return schema };
        match target.strip_prefix('#').and_then(|pointer| root.pointer(pointer)) {
            Some(found) => schema = found,
            None => return schema,
        }
    }
    schema
}

/// Whether equal texts may mean different things, since they refer to other parts of their documents.
fn has_ref(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(key, value)| key == "$ref" || has_ref(value)),
        Value::Array(all) => all.iter().any(has_ref),
        _ => false,
    }
}

/// The alternatives of a schema that has any, else itself.
fn alternatives<'v>(root: &'v Value, schema: &'v Value) -> Vec<&'v Value> {
    let mut all = Vec::new();
    let mut left = vec![(schema, 0)];
    while let Some((schema, depth)) = left.pop() {
        let schema = resolved(root, schema);
        match schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array) {
            Some(members) if depth < 8 && all.len() + left.len() + members.len() <= MOST_ALTERNATIVES => {
                left.extend(members.iter().rev().map(|member| (member, depth + 1)));
            }
            _ => all.push(schema),
        }
    }
    all
}

/// The types that a schema names; none when it accepts any.
fn types(schema: &Value) -> Vec<&'static str> {
    let known = |name: &Value| TYPES.iter().find(|kind| name == **kind).copied();
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(known).collect(),
        Some(name) => known(name).into_iter().collect(),
        // A closed set says by its values which types it has.
        None => {
            let mut found: Vec<&'static str> = Vec::new();
            for value in closed_set(schema).into_iter().flatten() {
                let kind = match value {
                    Value::Null => "null",
                    Value::Bool(_) => "boolean",
                    Value::Number(number) if number.is_f64() => "number",
                    Value::Number(_) => "integer",
                    Value::String(_) => "string",
                    Value::Array(_) => "array",
                    Value::Object(_) => "object",
                };
                if !found.contains(&kind) {
                    found.push(kind);
                }
            }
            found
        }
    }
}

fn accepts(types: &[&str], kind: &str) -> bool {
    types.is_empty() || types.contains(&kind) || kind == "integer" && types.contains(&"number")
}

fn words(types: &[&str]) -> String {
    match types {
        [] => "anything".to_owned(),
        types => types.join(", "),
    }
}

/// Words for alternatives: their tag, or their type.
fn named(root: &Value, all: &[&Value]) -> String {
    let name = |schema: &&Value| match tag(root, schema) {
        Some((key, value)) => format!("the alternative `{key}`: {}", crate::schema::shown(value)),
        None => words(&types(schema)),
    };
    all.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The property by which an alternative is known: the first that has only one value.
fn tag<'v>(root: &'v Value, schema: &'v Value) -> Option<(&'v str, &'v Value)> {
    let properties = schema.get("properties")?.as_object()?;
    properties.iter().find_map(|(name, schema)| match closed_set(resolved(root, schema))?[..] {
        [only] => Some((name.as_str(), only)),
        _ => None,
    })
}

fn closed_set(schema: &Value) -> Option<Vec<&Value>> {
    match (schema.get("const"), schema.get("enum")) {
        (Some(value), _) => Some(vec![value]),
        (None, Some(Value::Array(values))) => Some(values.iter().collect()),
        _ => None,
    }
}

fn required(schema: &Value) -> Vec<&str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Whether properties that are not named are accepted.
fn is_open(schema: &Value) -> bool {
    matches!(schema.get("additionalProperties"), Some(Value::Bool(true) | Value::Object(_)))
}
