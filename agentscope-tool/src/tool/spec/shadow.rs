//! Variants of untagged enums that take the calls of later ones.
//!
//! Of an untagged enum, serde takes the first variant that decodes and drops the keys that this one does not know. A
//! variant whose fields are some of those of a later one would so take its calls, and lose arguments.

use serde_json::{Map, Value};

/// The first pair of variants of which the one takes the calls of the other, in the words of the fault.
pub(super) fn find(schema: &Value) -> Option<String> {
    let here = schema.get("anyOf").and_then(Value::as_array).and_then(|branches| {
        branches.iter().enumerate().find_map(|(index, later)| {
            branches[..index].iter().find_map(|earlier| takes_calls_of(earlier.as_object()?, later.as_object()?))
        })
    });
    here.or_else(|| match schema {
        Value::Object(members) => members.values().find_map(find),
        Value::Array(items) => items.iter().find_map(find),
        _ => None,
    })
}

fn takes_calls_of(earlier: &Map<String, Value>, later: &Map<String, Value>) -> Option<String> {
    let (own, others) = (earlier.get("properties")?.as_object()?, later.get("properties")?.as_object()?);
    // `deny_unknown_fields` keeps serde from dropping a key, and a map takes every key.
    if earlier.contains_key("additionalProperties") || earlier.contains_key("patternProperties") {
        return None;
    }
    let required = earlier.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let is_met = required.clone().all(|name| others.get(name).is_some_and(|other| may_be_both(own.get(name), other)));
    let lost = others.keys().find(|name| !own.contains_key(*name))?;
    is_met.then(|| {
        let names = |properties: &Map<String, Value>| {
            let names: Vec<_> = properties.keys().map(|name| format!("`{name}`")).collect();
            names.join(", ")
        };
        format!(
            "of an untagged enum, the variant with {} would take the calls of the one with {} and lose `{lost}`; put the \
             latter first, or add `#[serde(deny_unknown_fields)]` to the enum and to the types of its variants",
            if own.is_empty() { "no fields".to_owned() } else { names(own) },
            names(others),
        )
    })
}

/// Whether some value may fit both schemas, as far as their types and constants tell.
fn may_be_both(a: Option<&Value>, b: &Value) -> bool {
    let differ = |keyword: &str| {
        let (a, b) = (a.and_then(|a| a.get(keyword)), b.get(keyword));
        matches!((a, b), (Some(a), Some(b)) if a != b)
    };
    !differ("const") && !differ("type")
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;

    use super::find;
    use crate::schema::natural;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct In<T> {
        inside: Vec<T>,
    }

    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    enum Shadowed {
        ById { id: u32 },
        Both { id: u32, name: String },
    }

    #[derive(JsonSchema)]
    #[serde(untagged)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    enum Sound {
        Both { id: u32, name: String },
        ById { id: u32 },
        ByName { id: String, place: String },
        Text(String),
    }

    #[derive(JsonSchema)]
    #[serde(untagged, deny_unknown_fields)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    enum Denying {
        ById { id: u32 },
        Both { id: u32, name: String },
    }

    #[test]
    fn a_variant_that_takes_the_calls_of_a_later_one_is_found_at_any_depth() {
        insta::assert_snapshot!(find(&natural::<In<Shadowed>>()).unwrap(), @"of an untagged enum, the variant with `id` would take the calls of the one with `id`, `name` and lose `name`; put the latter first, or add `#[serde(deny_unknown_fields)]` to the enum and to the types of its variants");
    }

    #[test]
    fn variants_that_serde_can_tell_apart_are_fine() {
        assert_eq!(find(&natural::<In<Sound>>()), None);
        assert_eq!(find(&natural::<In<Denying>>()), None);
    }
}
