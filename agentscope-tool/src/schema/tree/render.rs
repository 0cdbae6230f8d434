//! The schema that a tree stands for, written as schemars writes that of the type and then brought into natural form.
//!
//! The rules are those of schemars 1.2: `schema_exprs.rs` of its derive, `_private` and `json_schema_impls` of its library.

mod flatten;
mod variants;

use std::collections::HashMap;

use schemars::Schema;
use serde_json::{Map, Value, json};

use self::flatten::{flatten, flattened};
use super::{Constraint, Field, Kind, Literal, Node, NodeRef, Notes};
use crate::schema::normalise;

/// The natural schema of the type that a tree stands for; nothing if a part of the type is [opaque](Kind::Opaque).
///
/// It equals the [natural schema](crate::schema::natural()) of the type, which is made from schemars' derive: the tree and
/// the schema say the same.
#[must_use]
pub fn render(root: NodeRef) -> Option<Value> {
    let mut writer = Writer { root: root.address(), ..Writer::default() };
    let mut schema = writer.schema(root);
    if writer.is_opaque {
        return None;
    }
    if let (Value::Object(schema), false) = (&mut schema, writer.definitions.is_empty()) {
        schema.insert("$defs".to_owned(), Value::Object(writer.definitions));
    }
    Some(normalise(schema))
}

#[derive(Default)]
struct Writer {
    root: usize,
    /// The names of the definitions, by the address of the node.
    names: HashMap<usize, String>,
    definitions: Map<String, Value>,
    is_opaque: bool,
}

impl Writer {
    /// The schema of a type where it is used: a reference, if the type has a definition.
    fn used(&mut self, node: NodeRef) -> Value {
        let address = node.address();
        if node.get().is_inline {
            return self.schema(node);
        }
        if address == self.root {
            return json!({ "$ref": "#" });
        }
        let name = match self.names.get(&address) {
            Some(name) => name.clone(),
            None => {
                let base = node.get().name;
                let mut name = base.to_owned();
                let mut count = 2;
                while self.definitions.contains_key(&name) {
                    name = format!("{base}{count}");
                    count += 1;
                }
                self.names.insert(address, name.clone());
                // The place is taken before the type is written, which may lead back to it.
                self.definitions.insert(name.clone(), Value::Null);
                let schema = self.schema(node);
                self.definitions.insert(name.clone(), schema);
                name
            }
        };
        let name = name.replace('~', "~0").replace('/', "~1");
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// The schema of a type itself.
    fn schema(&mut self, node: NodeRef) -> Value {
        let node: &Node = node.get();
        let mut schema = self.kind(&node.kind);
        note(&mut schema, &node.notes, true);
        schema
    }

    fn kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Any => Value::Bool(true),
            Kind::Opaque => {
                self.is_opaque = true;
                Value::Bool(true)
            }
            Kind::Scalar([only]) => json!({ "type": only.name() }),
            Kind::Scalar(types) => json!({ "type": types.iter().map(|kind| kind.name()).collect::<Vec<_>>() }),
            Kind::Optional(inner) => {
                let mut schema = self.used(*inner);
                allow_null(&mut schema);
                schema
            }
            Kind::List { items, is_set } => {
                let mut schema = json!({ "type": "array" });
                if *is_set {
                    insert(&mut schema, "uniqueItems", true.into());
                }
                if let Some(items) = items {
                    insert(&mut schema, "items", self.used(*items));
                }
                schema
            }
            Kind::Tuple(fields) => self.tuple(fields),
            Kind::Map { key, value } => self.map(*key, *value),
            Kind::Struct { fields, is_closed } => self.object(fields, *is_closed),
            Kind::Enum { tagging, variants, is_closed } => self.choice(*tagging, variants, *is_closed),
            Kind::Newtype(field) => self.field(field),
        }
    }

    /// The type of a field, with what is said of the field.
    fn field(&mut self, field: &Field) -> Value {
        let mut schema = if field.is_required { self.not_optional(field.node) } else { self.used(field.node) };
        note(&mut schema, &field.notes, false);
        schema
    }

    /// The schema of a type itself, without the `null` of an `Option`.
    fn not_optional(&mut self, node: NodeRef) -> Value {
        match node.get().kind {
            Kind::Optional(inner) => self.not_optional(inner),
            _ => self.schema(node),
        }
    }

    fn tuple(&mut self, fields: &[Field]) -> Value {
        let items: Vec<Value> = fields.iter().map(|field| self.field(field)).collect();
        let count = items.len();
        match count {
            0 => json!({ "type": "array", "maxItems": 0 }),
            _ => json!({ "type": "array", "prefixItems": items, "minItems": count, "maxItems": count }),
        }
    }

    fn object(&mut self, fields: &[Field], is_closed: bool) -> Value {
        let mut schema = json!({ "type": "object" });
        if is_closed {
            insert(&mut schema, "additionalProperties", false.into());
        }
        for field in fields {
            if field.is_flattened {
                let is_optional = matches!(field.node.get().kind, Kind::Optional(_)) && !field.is_required;
                let inner = self.not_optional(field.node);
                flatten(&mut schema, flattened(inner, is_optional));
                continue;
            }
            let mut property = self.field(field);
            if let Some(default) = field.default.and_then(|default| default()) {
                insert(&mut property, "default", default);
            }
            object(member(&mut schema, "properties")).insert(field.key.to_owned(), property);
            if !field.is_optional() {
                array(member(&mut schema, "required")).push(field.key.into());
            }
        }
        schema
    }

    fn map(&mut self, key: NodeRef, value: NodeRef) -> Value {
        let key = self.schema(key);
        let value = self.used(value);
        let options = match key.get("anyOf").and_then(Value::as_array) {
            Some(options) => options.clone(),
            None => vec![key],
        };
        let mut schema = json!({ "type": "object", "additionalProperties": false });
        for option in &options {
            let kind = option.get("type").and_then(Value::as_str);
            let names = option.get("enum").and_then(Value::as_array);
            match (option.get("pattern").and_then(Value::as_str), names, kind) {
                (Some(pattern), _, Some("string")) => {
                    object(member(&mut schema, "patternProperties")).insert(pattern.to_owned(), value.clone());
                }
                (None, Some(names), Some("string")) => {
                    let properties = object(member(&mut schema, "properties"));
                    properties
                        .extend(names.iter().filter_map(Value::as_str).map(|name| (name.to_owned(), value.clone())));
                }
                (_, _, Some("integer")) => {
                    let is_unsigned = option.get("minimum").and_then(Value::as_u64) == Some(0);
                    let pattern = if is_unsigned { r"^\d+$" } else { r"^-?\d+$" };
                    object(member(&mut schema, "patternProperties")).insert(pattern.to_owned(), value.clone());
                }
                _ => insert(&mut schema, "additionalProperties", value.clone()),
            }
        }
        schema
    }
}

/// Adds what is said of a type, a field or a variant. What a type says of itself always fits it; an attribute of a field says
/// something only of a value of a fitting type, and nothing of one that is elsewhere defined.
fn note(schema: &mut Value, notes: &Notes, is_own: bool) {
    if let Some(description) = notes.doc.map(description).filter(|text| !text.is_empty()) {
        insert(schema, "description", description.into());
    }
    constrain(schema, notes.constraints, is_own);
}

/// The description in a doc comment: without a heading in its first line, which schemars takes for a title.
fn description(doc: &str) -> &str {
    let doc = doc.trim_ascii();
    match doc.strip_prefix('#') {
        Some(titled) => titled.split_once('\n').map_or("", |(_, rest)| rest).trim_ascii(),
        None => doc,
    }
}

fn constrain(schema: &mut Value, constraints: &[Constraint], is_own: bool) {
    let has = |schema: &Value, name: &str| match schema.get("type") {
        Some(Value::String(kind)) => kind == name,
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == name),
        _ => false,
    };
    let mut examples = Vec::new();
    for constraint in constraints {
        let is_number = is_own || has(schema, "number") || has(schema, "integer");
        let is_text = has(schema, "string");
        let is_list = has(schema, "array");
        match constraint {
            Constraint::Minimum(value) if is_number => insert(schema, "minimum", value.value()),
            Constraint::Maximum(value) if is_number => insert(schema, "maximum", value.value()),
            Constraint::ExclusiveMaximum(value) => insert(schema, "exclusiveMaximum", value.value()),
            Constraint::Not(value) => insert(schema, "not", json!({ "const": value.value() })),
            Constraint::MinLength(value) => {
                if is_text {
                    insert(schema, "minLength", value.value());
                }
                if is_list {
                    insert(schema, "minItems", value.value());
                }
            }
            Constraint::MaxLength(value) => {
                if is_text {
                    insert(schema, "maxLength", value.value());
                }
                if is_list {
                    insert(schema, "maxItems", value.value());
                }
            }
            Constraint::Pattern(value) if is_text => insert(schema, "pattern", value.value()),
            Constraint::Contains(value) if is_text => {
                let text = regex::escape(value.value().as_str().unwrap_or_default());
                insert(schema, "pattern", text.into());
            }
            Constraint::Format(format) => insert(schema, "format", (*format).into()),
            Constraint::Items(constraints) => {
                if let Some(items) = schema.get_mut("items") {
                    constrain(items, constraints, false);
                }
            }
            Constraint::Description(text) if text.value() != "" => insert(schema, "description", text.value()),
            Constraint::Example(example) => examples.extend(example()),
            Constraint::Deprecated => insert(schema, "deprecated", true.into()),
            Constraint::WriteOnly => insert(schema, "writeOnly", true.into()),
            _ => {}
        }
    }
    if constraints.iter().any(|constraint| matches!(constraint, Constraint::Example(_))) {
        insert(schema, "examples", examples.into());
    }
    // After all others, as schemars has it.
    for constraint in constraints {
        match constraint {
            Constraint::Extension(keyword, value) => insert(schema, keyword, value()),
            Constraint::Transform(transform) => {
                if let Ok(mut whole) = Schema::try_from(schema.take()) {
                    transform(&mut whole);
                    *schema = whole.to_value();
                }
            }
            _ => {}
        }
    }
}

impl Literal {
    fn value(&self) -> Value {
        match self {
            Self::Integer(number) => match (i64::try_from(*number), u64::try_from(*number)) {
                (Ok(number), _) => number.into(),
                (_, Ok(number)) => number.into(),
                // No type has bounds beyond these.
                _ => Value::Null,
            },
            Self::Text(text) => (*text).into(),
            Self::Of(value) => value(),
        }
    }
}

/// Sets a keyword.
fn insert(schema: &mut Value, keyword: &str, value: Value) {
    *member(schema, keyword) = value;
}

/// The value of a keyword, which is `null` if it was not there.
fn member<'a>(schema: &'a mut Value, keyword: &str) -> &'a mut Value {
    object(schema).entry(keyword).or_insert(Value::Null)
}

/// The members of a schema; one that is `true` or `false` becomes an object, as with schemars' `ensure_object`.
fn object(schema: &mut Value) -> &mut Map<String, Value> {
    if !schema.is_object() {
        let mut object = Map::new();
        if *schema == false {
            object.insert("not".to_owned(), json!({}));
        }
        *schema = Value::Object(object);
    }
    match schema {
        Value::Object(object) => object,
        _ => unreachable!("made an object above"),
    }
}

/// The items of a list; what is none becomes one.
fn array(value: &mut Value) -> &mut Vec<Value> {
    if !value.is_array() {
        *value = json!([]);
    }
    match value {
        Value::Array(items) => items,
        _ => unreachable!("made a list above"),
    }
}

/// As schemars' `allow_null`.
fn allow_null(schema: &mut Value) {
    let Value::Object(object) = schema else {
        if *schema == false {
            *schema = json!({ "type": "null" });
        }
        return;
    };
    let is_null = |schema: &Value| match &schema["type"] {
        Value::String(kind) => kind == "null",
        Value::Array(kinds) => kinds.iter().any(|kind| kind == "null"),
        _ => false,
    };
    let alternatives = object.get("anyOf").and_then(Value::as_array);
    if object.len() == 1 && alternatives.is_some_and(|alternatives| alternatives.iter().any(is_null)) {
        return;
    }
    if ["if", "allOf", "anyOf", "oneOf", "$ref"].iter().any(|key| object.contains_key(*key)) {
        *schema = json!({ "anyOf": [schema.take(), { "type": "null" }] });
        return;
    }
    match object.get_mut("type") {
        Some(Value::Array(kinds)) if !kinds.iter().any(|kind| kind == "null") => kinds.push("null".into()),
        Some(Value::String(kind)) if kind != "null" => {
            let both = json!([kind, "null"]);
            object.insert("type".to_owned(), both);
        }
        _ => {}
    }
    if let Some(value) = object.shift_remove("const") {
        if !value.is_null() {
            object.insert("enum".to_owned(), json!([value, null]));
        }
    } else if let Some(Value::Array(values)) = object.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
}
