//! How much there is in a schema.

use serde_json::Value;

use super::ProfileFault;
use crate::schema::profile::Rules;

/// Sums over a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) properties: usize,
    pub(crate) optional: usize,
    pub(crate) unions: usize,
    pub(crate) depth: usize,
    pub(crate) values: usize,
    pub(crate) characters: usize,
}

impl Counts {
    pub(crate) fn of(schema: &Value) -> Self {
        let mut counts = Self::default();
        counts.add(schema, 0);
        counts
    }

    fn add(&mut self, schema: &Value, depth: usize) {
        let array = |key: &str| schema.get(key).and_then(Value::as_array);
        let required = array("required").map(Vec::as_slice).unwrap_or_default();
        let members = schema.get("properties").and_then(Value::as_object);
        let deeper = depth + usize::from(members.is_some() || schema.get("items").is_some());
        self.depth = self.depth.max(deeper);
        for (name, property) in members.into_iter().flatten() {
            self.properties += 1;
            self.characters += name.chars().count();
            let is_union = property.get("anyOf").is_some() || property.get("nullable").is_some();
            self.unions += usize::from(is_union);
            self.optional += usize::from(!required.iter().any(|key| key == name));
            self.add(property, deeper);
        }
        for value in array("enum").into_iter().flatten() {
            self.values += 1;
            self.characters += value.as_str().map_or(0, |text| text.chars().count());
        }
        if let Some(items) = schema.get("items") {
            self.add(items, deeper);
        }
        for alternative in array("anyOf").into_iter().flatten() {
            self.add(alternative, depth);
        }
        for definition in schema.get("$defs").and_then(Value::as_object).into_iter().flat_map(|defs| defs.values()) {
            self.add(definition, 0);
        }
    }

    /// What of one tool is beyond the rules.
    pub(crate) fn beyond(&self, rules: &Rules) -> Vec<ProfileFault> {
        let limits = [
            (self.depth, rules.depth, "levels of nesting; move what is deep inside further out"),
            (self.properties, rules.properties, "properties; make several tools of it"),
            (self.values, rules.values, "values of enums; take texts, and name the values in their descriptions"),
            (
                self.characters,
                rules.characters,
                "characters in the names of properties and values; make several tools of it",
            ),
            (
                self.unions,
                rules.unions,
                "properties that may be `null` or are a choice; make some of them required, or several tools of it",
            ),
            (
                self.optional,
                rules.optional,
                "properties that may be left out; make some of them required, or several tools of it",
            ),
        ];
        let fault = |(found, limit, what): (usize, Option<usize>, &str)| {
            let limit = limit.filter(|limit| found > *limit)?;
            Some(ProfileFault::new("", format!("has {found} of at most {limit} {what}")))
        };
        limits.into_iter().filter_map(fault).collect()
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            properties: self.properties + other.properties,
            optional: self.optional + other.optional,
            unions: self.unions + other.unions,
            depth: self.depth.max(other.depth),
            values: self.values + other.values,
            characters: self.characters + other.characters,
        }
    }
}
