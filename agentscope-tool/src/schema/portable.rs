//! The portable form of a schema: what every provider takes, those with strict decoding too.
//!
//! Made from the [natural form](super::natural). Objects are closed and require all of their properties; what is optional may
//! be `null` instead. The constraints that some provider refuses (bounds, lengths, formats, patterns, defaults) are said in
//! words at the end of the description, as in `{minimum: 0, maximum: 255}`; calls are still checked against the natural form.

use std::fmt;

use serde_json::{Map, Value, json};

use super::natural::unified;

/// The constraints that become words, in the order in which they are said.
const NOTED: [&str; 16] = [
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "contentEncoding",
];

/// How deep schemas may be inside of each other.
const DEPTH: usize = 32;

/// Why a schema has no portable form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` {problem}")]
pub struct NotPortable {
    path: String,
    problem: Problem,
}

/// What a portable schema cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Root,
    Untyped,
    Map,
    Empty,
    Recursive,
    Combined,
    Key,
    Type(String),
    TooDeep,
}

impl NotPortable {
    /// The place in the arguments, such as `filters[].labels`; `arguments` for all of them.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("is no object with named properties; wrap it in a field"),
            Self::Untyped => f.write_str("may be anything; give it a type, or a text that holds JSON"),
            Self::Map => f.write_str("is a map with free keys; use a list of objects with a key and a value"),
            Self::Empty => f.write_str("is an object without properties; leave it out, or give it one"),
            Self::Recursive => f.write_str("contains itself; limit the depth, or use a text that holds JSON"),
            Self::Combined => f.write_str("combines several schemas; wrap the choice in a field of its own"),
            Self::Key => f.write_str(
                "has a name that not every provider takes: letters, digits and `_`, at most 64, no digit first",
            ),
            Self::Type(kind) => write!(f, "has the type `{kind}`, which there is not"),
            Self::TooDeep => f.write_str("is nested too deeply"),
        }
    }
}

/// The portable form of the schema of a tool's arguments: the natural one, or one as `schemars` writes it.
///
/// ```
/// use agentscope_tool::schema::portable;
/// use serde_json::json;
///
/// let natural = json!({
///     "type": "object",
///     "properties": { "days": { "type": "integer", "minimum": 1, "default": 3 } },
///     "required": [],
/// });
/// let portable = portable(&natural)?;
/// assert_eq!(portable["properties"]["days"]["description"], "{default: 3}");
/// assert_eq!(portable["required"], json!(["days"]));
/// # Ok::<(), agentscope_tool::schema::NotPortable>(())
/// ```
///
/// # Errors
/// When a part of it cannot be said so that every provider takes it.
pub fn portable(schema: &Value) -> Result<Value, NotPortable> {
    let unified = unified(schema.clone());
    let root = Place { path: String::new(), depth: 0 };
    let schema = unified.as_object().ok_or_else(|| root.fault(Problem::Root))?;
    let is_object = schema.get("type").is_none_or(|kind| kind == "object") && !combines(schema);
    if !is_object || schema.contains_key("enum") {
        return Err(root.fault(Problem::Root));
    }
    let mut described = Map::new();
    if let Some(description) = schema.get("description") {
        described.insert("description".into(), description.clone());
    }
    described.extend(root.object(schema)?);
    Ok(Value::Object(described))
}

/// The portable form in the spelling of Gemini's `parameters`; nothing for arguments without properties, which have to be
/// left out there.
///
/// # Errors
/// As [`portable`].
pub fn gemini_parameters(schema: &Value) -> Result<Option<Value>, NotPortable> {
    let mut schema = portable(schema)?;
    if schema["properties"].as_object().is_some_and(Map::is_empty) {
        return Ok(None);
    }
    to_gemini(&mut schema);
    Ok(Some(schema))
}

fn to_gemini(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    members.shift_remove("additionalProperties");
    if let Some(Value::Array(alternatives)) = members.get_mut("anyOf") {
        let before = alternatives.len();
        alternatives.retain(|alternative| alternative["type"] != "null");
        let is_nullable = alternatives.len() < before;
        alternatives.iter_mut().for_each(to_gemini);
        if let [_] = &alternatives[..]
            && let Some(Value::Object(only)) = alternatives.pop()
        {
            members.shift_remove("anyOf");
            for (key, value) in only {
                match (key.as_str(), members.get_mut("description")) {
                    ("description", Some(Value::String(outer))) => {
                        outer.push_str(&format!("\n\n{}", value.as_str().unwrap_or_default()));
                    }
                    _ => drop(members.insert(key, value)),
                }
            }
        }
        if is_nullable {
            members.insert("nullable".into(), true.into());
        }
    }
    if let Some(Value::Object(properties)) = members.get_mut("properties") {
        properties.values_mut().for_each(to_gemini);
    }
    if let Some(items) = members.get_mut("items") {
        to_gemini(items);
    }
}

/// Whether more than one schema applies at once.
fn combines(schema: &Map<String, Value>) -> bool {
    ["allOf", "anyOf", "oneOf", "not", "if", "dependentSchemas"].iter().any(|key| schema.contains_key(*key))
}

/// A place in the arguments.
struct Place {
    path: String,
    depth: usize,
}

impl Place {
    fn fault(&self, problem: Problem) -> NotPortable {
        let path = if self.path.is_empty() { "arguments".to_owned() } else { self.path.clone() };
        NotPortable { path, problem }
    }

    fn property(&self, name: &str) -> Self {
        let dot = if self.path.is_empty() { "" } else { "." };
        Self { path: format!("{}{dot}{name}", self.path), depth: self.depth + 1 }
    }

    fn item(&self) -> Self {
        Self { path: format!("{}[]", self.path), depth: self.depth + 1 }
    }

    /// A schema with its description and its notes.
    fn schema(&self, schema: &Value) -> Result<Value, NotPortable> {
        if self.depth > DEPTH {
            return Err(self.fault(Problem::TooDeep));
        }
        let schema = schema.as_object().filter(|schema| !schema.is_empty());
        let schema = schema.ok_or_else(|| self.fault(Problem::Untyped))?;
        let (mut note, body) = self.body(schema)?;
        let mut described = Map::new();
        let mut text = schema.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(Value::String(default)) = schema.get("default") {
            note.push(format!("default: {default}"));
        } else if let Some(default) = schema.get("default") {
            note.push(format!("default: {default}"));
        }
        if !note.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.push_str(&format!("{gap}{{{}}}", note.join(", ")));
        }
        if !text.is_empty() {
            described.insert("description".into(), text.into());
        }
        described.extend(body);
        Ok(Value::Object(described))
    }

    /// A schema without its description, and what it cannot say.
    fn body(&self, schema: &Map<String, Value>) -> Result<(Vec<String>, Map<String, Value>), NotPortable> {
        if schema.contains_key("$ref") {
            return Err(self.fault(Problem::Recursive));
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.choice(values, schema.get("type"));
        }
        if let Some(value) = schema.get("const") {
            return self.choice(std::slice::from_ref(value), schema.get("type"));
        }
        let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(Value::as_array);
        if let Some(alternatives) = alternatives {
            if schema.contains_key("properties") || schema.contains_key("allOf") {
                return Err(self.fault(Problem::Combined));
            }
            let alternatives = alternatives.iter().map(|alternative| self.alternative(alternative));
            return Ok((Vec::new(), union(alternatives.collect::<Result<_, _>>()?)));
        }
        if schema.contains_key("allOf") {
            return Err(self.fault(Problem::Combined));
        }
        match schema.get("type") {
            Some(Value::Array(kinds)) => {
                let one = |kind: &Value| {
                    let mut one = schema.clone();
                    one.insert("type".into(), kind.clone());
                    one.retain(|key, _| key != "description" && key != "default" && concerns(key, kind));
                    self.alternative(&Value::Object(one))
                };
                Ok((Vec::new(), union(kinds.iter().map(one).collect::<Result<_, _>>()?)))
            }
            Some(Value::String(kind)) => self.of_type(kind, schema),
            _ if schema.contains_key("properties") => self.of_type("object", schema),
            _ => Err(self.fault(Problem::Untyped)),
        }
    }

    fn alternative(&self, schema: &Value) -> Result<Value, NotPortable> {
        Self { path: self.path.clone(), depth: self.depth + 1 }.schema(schema)
    }

    fn of_type(
        &self,
        kind: &str,
        schema: &Map<String, Value>,
    ) -> Result<(Vec<String>, Map<String, Value>), NotPortable> {
        match kind {
            "object" => {
                if schema.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty) {
                    let open = schema.get("additionalProperties").is_some_and(|open| *open != false)
                        || schema.contains_key("patternProperties");
                    return Err(self.fault(if open { Problem::Map } else { Problem::Empty }));
                }
                Ok((Vec::new(), self.object(schema)?))
            }
            "array" => self.array(schema),
            "string" | "integer" | "number" | "boolean" | "null" => {
                Ok((notes(schema, kind), Map::from_iter([("type".to_owned(), kind.into())])))
            }
            other => Err(self.fault(Problem::Type(other.to_owned()))),
        }
    }

    fn object(&self, schema: &Map<String, Value>) -> Result<Map<String, Value>, NotPortable> {
        if schema.get("additionalProperties").is_some_and(|open| *open != false)
            || schema.contains_key("patternProperties")
        {
            return Err(self.fault(Problem::Map));
        }
        let required: Vec<&str> =
            schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let mut properties = Map::new();
        for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let place = self.property(name);
            if !is_portable_key(name) {
                return Err(place.fault(Problem::Key));
            }
            let property = match required.contains(&name.as_str()) {
                true => place.schema(property)?,
                false => place.optional(property)?,
            };
            properties.insert(name.clone(), property);
        }
        let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
        let object = json!({
            "type": "object", "properties": properties, "required": names, "additionalProperties": false
        });
        Ok(if let Value::Object(object) = object { object } else { Map::new() })
    }

    /// A property that may be left out, as one that may be `null`.
    fn optional(&self, schema: &Value) -> Result<Value, NotPortable> {
        let Some(members) = schema.as_object().filter(|members| !members.is_empty()) else {
            return Err(self.fault(Problem::Untyped));
        };
        // What is said of the property stays outside; what is said of its value goes inside.
        let mut inner = members.clone();
        inner.retain(|key, _| key != "description" && key != "default");
        let Value::Object(inner) = self.schema(&Value::Object(inner))? else {
            return Err(self.fault(Problem::Untyped));
        };
        let mut alternatives = match inner.get("anyOf") {
            Some(Value::Array(alternatives)) if !inner.contains_key("description") => alternatives.clone(),
            _ => vec![Value::Object(inner)],
        };
        if !alternatives.iter().any(|alternative| alternative["type"] == "null") {
            alternatives.push(json!({ "type": "null" }));
        }
        let mut text = members.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(default) = members.get("default").filter(|default| !default.is_null()) {
            let gap = if text.is_empty() { "" } else { "\n\n" };
            match default {
                Value::String(default) => text.push_str(&format!("{gap}{{default: {default}}}")),
                default => text.push_str(&format!("{gap}{{default: {default}}}")),
            }
        }
        let mut described = Map::new();
        if !text.is_empty() {
            described.insert("description".into(), text.into());
        }
        described.insert("anyOf".into(), alternatives.into());
        Ok(Value::Object(described))
    }

    fn array(&self, schema: &Map<String, Value>) -> Result<(Vec<String>, Map<String, Value>), NotPortable> {
        let array = |items: Value| Map::from_iter([("type".to_owned(), "array".into()), ("items".to_owned(), items)]);
        if let Some(places) = schema.get("prefixItems").and_then(Value::as_array) {
            let items = places.iter().map(|item| self.item().schema(item)).collect::<Result<Vec<_>, _>>()?;
            let kinds: Vec<_> = items.iter().map(kind_of).collect();
            let mut distinct: Vec<Value> = Vec::new();
            for item in items {
                if !distinct.contains(&item) {
                    distinct.push(item);
                }
            }
            let items = match distinct.pop() {
                Some(only) if distinct.is_empty() => only,
                last => unified(json!({ "anyOf": distinct.into_iter().chain(last).collect::<Vec<_>>() })),
            };
            return Ok((vec![format!("tuple: [{}]", kinds.join(", "))], array(items)));
        }
        let notes = notes(schema, "array");
        match schema.get("items") {
            Some(items) => Ok((notes, array(self.item().schema(items)?))),
            // Nothing can be in it; some type there has to be.
            None if schema.get("maxItems") == Some(&json!(0)) => Ok((notes, array(json!({ "type": "string" })))),
            None => Err(self.item().fault(Problem::Untyped)),
        }
    }

    /// One of several values.
    fn choice(&self, values: &[Value], kind: Option<&Value>) -> Result<(Vec<String>, Map<String, Value>), NotPortable> {
        let texts = values.iter().all(Value::is_string);
        if texts {
            let body = json!({ "type": "string", "enum": values });
            return Ok((Vec::new(), if let Value::Object(body) = body { body } else { Map::new() }));
        }
        let with_null = values.iter().any(Value::is_null);
        let rest: Vec<Value> = values.iter().filter(|value| !value.is_null()).cloned().collect();
        if with_null {
            let null = json!({ "type": "null" });
            if rest.is_empty() {
                return Ok((Vec::new(), Map::from_iter([("type".to_owned(), "null".into())])));
            }
            let (note, body) = self.choice(&rest, None)?;
            let mut one = body;
            if !note.is_empty() {
                one.insert("description".into(), format!("{{{}}}", note.join(", ")).into());
            }
            return Ok((Vec::new(), union(vec![Value::Object(one), null])));
        }
        let kind = match kind.and_then(Value::as_str) {
            Some(kind) => kind,
            None if rest.iter().all(|value| value.is_i64() || value.is_u64()) => "integer",
            None if rest.iter().all(Value::is_number) => "number",
            None if rest.iter().all(Value::is_boolean) => "boolean",
            None => return Err(self.fault(Problem::Untyped)),
        };
        let values: Vec<_> = rest.iter().map(Value::to_string).collect();
        let note = format!("allowed values: {}", values.join(", "));
        Ok((vec![note], Map::from_iter([("type".to_owned(), kind.into())])))
    }
}

fn union(alternatives: Vec<Value>) -> Map<String, Value> {
    let mut flat: Vec<Value> = Vec::new();
    for alternative in alternatives {
        let inner = match alternative.get("anyOf") {
            Some(Value::Array(inner)) if alternative.get("description").is_none() => inner.clone(),
            _ => vec![alternative],
        };
        for alternative in inner {
            if !flat.contains(&alternative) {
                flat.push(alternative);
            }
        }
    }
    Map::from_iter([("anyOf".to_owned(), flat.into())])
}

/// What a schema says that the portable form has no words for.
fn notes(schema: &Map<String, Value>, kind: &str) -> Vec<String> {
    let mut notes = Vec::new();
    for key in NOTED {
        let Some(value) = schema.get(key) else { continue };
        if key == "format" && kind != "string" {
            continue;
        }
        match value {
            Value::String(text) => notes.push(format!("{key}: {text}")),
            value => notes.push(format!("{key}: {value}")),
        }
    }
    if let Some(value) = schema.get("not").and_then(|not| not.get("const")) {
        notes.push(format!("not: {value}"));
    }
    notes
}

/// Whether a keyword says something of values of this type.
fn concerns(key: &str, kind: &Value) -> bool {
    let of = match key {
        "minLength" | "maxLength" | "pattern" | "format" | "contentEncoding" => &["string"][..],
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => &["integer", "number"],
        "items" | "prefixItems" | "minItems" | "maxItems" | "uniqueItems" => &["array"],
        "properties" | "required" | "additionalProperties" | "patternProperties" => &["object"],
        _ => return true,
    };
    kind.as_str().is_some_and(|kind| of.contains(&kind))
}

/// A type in a word, for tuples.
fn kind_of(schema: &Value) -> String {
    match (schema["type"].as_str(), schema["anyOf"].as_array()) {
        (Some(kind), _) => kind.to_owned(),
        (None, Some(alternatives)) => alternatives.iter().map(kind_of).collect::<Vec<_>>().join(" or "),
        (None, None) => "any".to_owned(),
    }
}

/// Whether every provider takes this as the name of a property.
fn is_portable_key(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=64).contains(&name.len()) && name.bytes().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests;
