//! What of a natural schema a profile does not take.

use serde_json::{Map, Value};

use super::ProfileFault;
use crate::schema::profile::{Keys, Rules};

/// Deeper than that nothing is looked at.
const DEPTH: usize = 64;

/// All that is refused, in the order of the schema.
pub(super) fn refused(schema: &Value, rules: &Rules) -> Vec<ProfileFault> {
    let mut search = Search { rules, faults: Vec::new() };
    for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
        if schema.get(keyword).is_some() {
            let problem =
                format!("has `{keyword}` at the root; write an object with the choice as one of its properties");
            search.faults.push(ProfileFault::new("", problem));
        }
    }
    search.schema(schema, "", 0);
    search.faults
}

struct Search<'r> {
    rules: &'r Rules,
    faults: Vec<ProfileFault>,
}

impl Search<'_> {
    fn fault(&mut self, path: &str, problem: impl Into<String>) {
        self.faults.push(ProfileFault::new(path, problem));
    }

    fn schema(&mut self, schema: &Value, path: &str, depth: usize) {
        if depth > DEPTH {
            return;
        }
        let empty = Map::new();
        let members = schema.as_object().unwrap_or(&empty);
        let says_something = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"];
        if !self.rules.untyped && !says_something.iter().any(|keyword| members.contains_key(*keyword)) {
            self.fault(path, "may be anything; give it a type, or a text that holds JSON");
        }
        if !self.rules.type_lists && members.get("type").is_some_and(Value::is_array) {
            self.fault(path, "has a list of types; write a choice");
        }
        if !self.rules.references && members.contains_key("$ref") {
            self.fault(path, "contains itself; limit the depth, or use a text that holds JSON");
        }
        for keyword in self.rules.refused.iter().filter(|keyword| members.contains_key(**keyword)) {
            self.fault(path, format!("has the keyword `{keyword}`"));
        }
        if let Some(Value::Object(properties)) = members.get("properties") {
            for (name, property) in properties {
                let place = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                if !is_taken(name, self.rules.keys) {
                    let problem = match self.rules.keys {
                        Keys::Word => {
                            "has a name that is not taken: letters, digits and `_`, at most 64, no digit first"
                        }
                        _ => "has a name that is not taken: letters, digits, `_`, `.` and `-`, at most 64",
                    };
                    self.faults.push(ProfileFault::of_name(&place, problem));
                }
                self.schema(property, &place, depth + 1);
            }
        }
        for (keyword, place) in [("items", "[]"), ("additionalProperties", ".*")] {
            if let Some(inner @ Value::Object(_)) = members.get(keyword) {
                self.schema(inner, &format!("{path}{place}"), depth + 1);
            }
        }
        if let Some(Value::Bool(_)) = members.get("items") {
            self.schema(&Value::Null, &format!("{path}[]"), depth + 1);
        }
        for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
            for inner in members.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.schema(inner, path, depth + 1);
            }
        }
        for (name, definition) in members.get("$defs").and_then(Value::as_object).into_iter().flatten() {
            self.schema(definition, name, depth + 1);
        }
    }
}

fn is_taken(name: &str, keys: Keys) -> bool {
    let fits = |extra: &[u8]| {
        (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || extra.contains(&byte))
    };
    match keys {
        Keys::Any => true,
        Keys::Dotted => fits(b"_.-"),
        Keys::Word => fits(b"_") && !name.starts_with(|c: char| c.is_ascii_digit()),
    }
}
