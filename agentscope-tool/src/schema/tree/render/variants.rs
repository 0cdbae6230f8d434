//! The schemas of enums, by the way in which serde writes them.

use serde_json::{Value, json};

use super::super::{Field, Shape, Tagging, Variant};
use super::flatten::allow_unknown_inside;
use super::{Writer, array, insert, member, note, object};

impl Writer {
    pub(super) fn choice(&mut self, tagging: Tagging, variants: &[Variant], is_closed: bool) -> Value {
        if variants.is_empty() {
            return Value::Bool(false);
        }
        let mut alternatives = Vec::new();
        let is_plain = |variant: &Variant| {
            tagging == Tagging::External
                && matches!(variant.shape, Shape::Unit)
                && variant.notes.is_empty()
                && !variant.is_untagged
        };
        let plain: Vec<&str> =
            variants.iter().filter(|variant| is_plain(variant)).map(|variant| variant.name).collect();
        if tagging == Tagging::External && !plain.is_empty() {
            let names = json!({ "type": "string", "enum": plain });
            if plain.len() == variants.len() {
                return names;
            }
            alternatives.push(names);
        }
        for variant in variants.iter().filter(|variant| !is_plain(variant)) {
            let mut schema = match tagging {
                _ if variant.is_untagged => self.content(&variant.shape, is_closed),
                Tagging::External | Tagging::OpenExternal => self.external(tagging, variant, is_closed),
                Tagging::Internal(tag) => self.internal(tag, variant, is_closed),
                Tagging::Adjacent(tag, content) => self.adjacent(tag, content, variant, is_closed),
                Tagging::Untagged => self.content(&variant.shape, is_closed),
            };
            note(&mut schema, &variant.notes, true);
            alternatives.push(schema);
        }
        let is_tagged = tagging != Tagging::Untagged && !variants.iter().any(|variant| variant.is_untagged);
        let keyword = if is_tagged { "oneOf" } else { "anyOf" };
        json!({ keyword: alternatives })
    }

    /// What a variant holds, without a tag.
    fn content(&mut self, shape: &Shape, is_closed: bool) -> Value {
        match shape {
            Shape::Unit => json!({ "type": "null" }),
            Shape::Newtype(field) => self.field(field),
            Shape::Tuple(fields) => self.tuple(fields),
            Shape::Struct(fields) => self.object(fields, is_closed),
        }
    }

    fn external(&mut self, tagging: Tagging, variant: &Variant, is_closed: bool) -> Value {
        let name = variant.name;
        if matches!(variant.shape, Shape::Unit) {
            return json!({ "type": "string", "const": name });
        }
        let content = self.content(&variant.shape, is_closed);
        let mut schema = json!({ "type": "object", "properties": { name: content }, "required": [name] });
        if tagging == Tagging::External {
            insert(&mut schema, "additionalProperties", false.into());
        }
        schema
    }

    fn internal(&mut self, tag: &str, variant: &Variant, is_closed: bool) -> Value {
        let mut schema = match &variant.shape {
            Shape::Newtype(field) => self.tagged_newtype(field),
            shape => self.content(shape, is_closed),
        };
        let is_unit = schema.get("type").is_some_and(|kind| kind == "null");
        insert(&mut schema, "type", "object".into());
        let tag_schema = json!({ "type": "string", "const": variant.name });
        object(member(&mut schema, "properties")).insert(tag.to_owned(), tag_schema);
        array(member(&mut schema, "required")).insert(0, tag.into());
        if is_closed && is_unit && schema.get("additionalProperties").is_none() {
            insert(&mut schema, "additionalProperties", false.into());
        }
        schema
    }

    /// As schemars' `json_schema_for_internally_tagged_enum_newtype_variant`.
    fn tagged_newtype(&mut self, field: &Field) -> Value {
        let mut schema = self.schema(field.node);
        let mut changed = false;
        let mut is_closed = false;
        if let Value::Object(object) = &mut schema {
            changed = allow_unknown_inside(object);
            is_closed = ["additionalProperties", "unevaluatedProperties"]
                .iter()
                .any(|key| object.get(*key).is_some_and(|value| *value == false));
        }
        let is_null = schema.get("type").is_some_and(|kind| kind == "null");
        if !(field.node.get().is_inline || is_null || is_closed || changed) {
            schema = self.used(field.node);
        }
        note(&mut schema, &field.notes, false);
        schema
    }

    fn adjacent(&mut self, tag: &str, content: &str, variant: &Variant, is_closed: bool) -> Value {
        let mut schema = json!({
            "type": "object",
            "properties": { tag: { "type": "string", "const": variant.name } },
            "required": [tag],
        });
        if !matches!(variant.shape, Shape::Unit) {
            let content_schema = self.content(&variant.shape, is_closed);
            object(member(&mut schema, "properties")).insert(content.to_owned(), content_schema);
            array(member(&mut schema, "required")).push(content.into());
        }
        if is_closed {
            insert(&mut schema, "additionalProperties", false.into());
        }
        schema
    }
}
