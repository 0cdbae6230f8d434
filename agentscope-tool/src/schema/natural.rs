//! The natural form of a schema: what a tool publishes, made from what `schemars` writes.
//!
//! - JSON Schema 2020-12 without `$schema`, `title` and formats that only Rust knows (`uint32`).
//! - The root is an object with `properties` and `required`, which may be empty. A root that is no object stays as it is.
//! - References are replaced by what they refer to, except in recursive types, which stay in `$defs`.
//! - An enum of plain names is one `enum`, whose documented names are explained at the end of the description.
//! - An optional property (one that is not required) is what it is when it is there: no `null` in its type, its alternatives or its
//!   default. A `null` that comes for it counts as "not there" (see [`crate::args`]).
//! - The keys of each schema come in one fixed order ([`KEY_ORDER`]), properties in that of their declaration.

mod inline;
mod keys;
mod shape;

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::Value;

pub use keys::KEY_ORDER;

/// The natural schema of a type, read as what is deserialized.
pub fn natural<T: JsonSchema>() -> Value {
    normalise(generator().into_root_schema_for::<T>().to_value())
}

/// The natural schema of a type, read as what is serialized: an `Option` that is written as `null` may be `null` here.
pub fn emitted<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    normalise(settings.into_generator().into_root_schema_for::<T>().to_value())
}

/// The schema of a type as a part of another schema, not yet in natural form, with the definitions that it refers to in `$defs`.
///
/// Unlike a root, such a part never refers to `#`, which would be another schema once the part is in its place.
pub fn described<T: JsonSchema>() -> Value {
    let mut generator = generator();
    let mut schema = generator.subschema_for::<T>().to_value();
    let definitions = generator.take_definitions(true);
    match &mut schema {
        Value::Object(schema) if !definitions.is_empty() => {
            drop(schema.insert("$defs".to_owned(), Value::Object(definitions)))
        }
        _ => {}
    }
    schema
}

/// A generator with the settings that [`normalise`] expects, for schemas that are put together from those of several types.
pub fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().for_deserialize().into_generator()
}

/// Turns a schema as `schemars` writes it into the natural form.
///
/// The schema may hold definitions in `$defs` or `definitions`. A reference that leads nowhere is left as it is.
pub fn normalise(raw: Value) -> Value {
    let (mut root, definitions) = inline::inline(raw);
    shape::shape_root(&mut root);
    let definitions = definitions.into_iter().map(|(name, mut definition)| {
        shape::shape(&mut definition);
        (name, definition)
    });
    keys::finish(root, definitions.collect())
}

/// A schema of either kind with its references replaced, and with one form for each kind of enum; nothing else is lost.
pub(super) fn unified(schema: Value) -> Value {
    let (mut root, _) = inline::inline(schema);
    shape::unify(&mut root);
    root
}

#[cfg(test)]
mod tests;
