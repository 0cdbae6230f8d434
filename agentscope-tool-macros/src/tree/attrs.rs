//! The attributes of serde and schemars, as schemars reads them.

use syn::{Attribute, LitStr, Path, Type};

use crate::{
    attr::entries::{self, Entry, Value, string_literal},
    errors::Errors,
};

use super::rename::Rename;

/// What serde's and schemars' attributes on one item say.
pub(super) struct Attrs {
    /// The entries of `#[schemars]`, then those of `#[serde]`.
    schemars: Vec<Entry>,
    serde: Vec<Entry>,
    /// The entries of `#[validate]` and `#[garde]`, which schemars reads too.
    pub(super) others: Vec<Entry>,
    /// Whether something could not be read: then nothing is certain.
    pub(super) is_broken: bool,
}

impl Attrs {
    pub(super) fn read(attrs: &[Attribute]) -> Self {
        // Faults are for the derives that own the attributes to report.
        let mut errors = Errors::default();
        let mut of = |name: &str| -> Vec<Entry> {
            let attrs = attrs.iter().filter(|attr| attr.path().is_ident(name));
            attrs.flat_map(|attr| entries::of_attribute(attr, &mut errors)).collect()
        };
        let (schemars, serde) = (of("schemars"), of("serde"));
        let mut others = of("validate");
        others.extend(of("garde"));
        Self { schemars, serde, others, is_broken: !errors.is_empty() }
    }

    /// What a key says: schemars' word goes before serde's.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.own(key).or_else(|| find(&self.serde, key))
    }

    /// What a key of schemars' own attribute says.
    pub(super) fn own(&self, key: &str) -> Option<&Value> {
        find(&self.schemars, key)
    }

    /// What a key of serde's own attribute says.
    pub(super) fn of_serde(&self, key: &str) -> Option<&Value> {
        find(&self.serde, key)
    }

    /// All entries of schemars' own attribute.
    pub(super) fn own_entries(&self) -> &[Entry] {
        &self.schemars
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// `key = "text"` or `key(deserialize = "text")`.
    pub(super) fn text(&self, key: &str) -> Option<LitStr> {
        match self.get(key)? {
            Value::Expr(expr) => string_literal(expr),
            Value::List(tokens) => {
                let entries = entries::parse(tokens.clone(), &mut Errors::default());
                entries.iter().find(|entry| entry.key == "deserialize").and_then(|entry| match &entry.value {
                    Value::Expr(expr) => string_literal(expr),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    pub(super) fn rename_all(&self, key: &str) -> Rename {
        self.text(key).map_or(Rename::None, |name| Rename::named(&name.value()))
    }

    /// The path in a key's text.
    pub(super) fn path(value: &Value) -> Option<Path> {
        match value {
            Value::Expr(expr) => string_literal(expr)?.parse().ok(),
            _ => None,
        }
    }

    /// The type in a key's text.
    pub(super) fn ty(value: &Value) -> Option<Type> {
        match value {
            Value::Expr(expr) => string_literal(expr)?.parse().ok(),
            _ => None,
        }
    }

    /// Whether it is never decoded.
    pub(super) fn is_skipped(&self) -> bool {
        self.has("skip") || self.has("skip_deserializing")
    }
}

fn find<'e>(entries: &'e [Entry], key: &str) -> Option<&'e Value> {
    entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
}
