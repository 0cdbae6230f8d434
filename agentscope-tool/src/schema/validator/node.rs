//! A schema as it is after compilation: a flat list of nodes that refer to each other by number.

use regex::Regex;
use serde_json::{Number, Value};

use super::format::Format;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(pub(super) u32);

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Types = Types(0);
    pub(crate) const NULL: Types = Types(1);
    pub(crate) const BOOLEAN: Types = Types(2);
    pub(crate) const INTEGER: Types = Types(4);
    /// Any number, integers included.
    pub(crate) const NUMBER: Types = Types(8 | 4);
    pub(crate) const STRING: Types = Types(16);
    pub(crate) const ARRAY: Types = Types(32);
    pub(crate) const OBJECT: Types = Types(64);
    pub(crate) const ALL: Types = Types(127);

    /// The type of that name in a schema.
    pub(super) fn named(name: &str) -> Option<Types> {
        Some(match name {
            "null" => Types::NULL,
            "boolean" => Types::BOOLEAN,
            "integer" => Types::INTEGER,
            "number" => Types::NUMBER,
            "string" => Types::STRING,
            "array" => Types::ARRAY,
            "object" => Types::OBJECT,
            _ => return None,
        })
    }

    /// The type of `value`; a number without a fraction is an integer.
    pub(crate) fn of(value: &Value) -> Types {
        match value {
            Value::Null => Types::NULL,
            Value::Bool(_) => Types::BOOLEAN,
            Value::Number(number) if super::number::is_integer(number) => Types::INTEGER,
            Value::Number(_) => Types(8),
            Value::String(_) => Types::STRING,
            Value::Array(_) => Types::ARRAY,
            Value::Object(_) => Types::OBJECT,
        }
    }

    /// Whether every type of `other` is in this set.
    pub(crate) fn has(self, other: Types) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the two sets share a type.
    pub(crate) fn meets(self, other: Types) -> bool {
        self.0 & other.0 != 0
    }

    /// The types of both sets.
    pub(crate) fn and(self, other: Types) -> Types {
        Types(self.0 & other.0)
    }

    /// The types of either set.
    pub(crate) fn or(self, other: Types) -> Types {
        Types(self.0 | other.0)
    }
}

/// One schema. A part that the schema does not speak of is `None` or empty.
#[derive(Debug)]
pub(crate) struct Node {
    /// The schema `false`.
    pub(super) never: bool,
    /// What the schema's own `type` admits.
    pub(super) types: Types,
    /// What the schema admits when everything that applies to the same value is counted in.
    pub(crate) admits: Types,
    pub(super) description: Option<Box<str>>,
    pub(super) constant: Option<Value>,
    pub(super) choices: Option<Box<[Value]>>,
    pub(super) number: Option<Box<NumberRules>>,
    pub(super) string: Option<Box<StringRules>>,
    pub(crate) array: Option<Box<ArrayRules>>,
    pub(crate) object: Option<Box<ObjectRules>>,
    pub(crate) reference: Option<NodeId>,
    pub(crate) all_of: Box<[NodeId]>,
    pub(crate) any_of: Box<[NodeId]>,
    pub(crate) one_of: Box<[NodeId]>,
    pub(super) not: Option<NodeId>,
}

impl Node {
    /// The schema `true`.
    pub(super) fn always() -> Self {
        Node {
            never: false,
            types: Types::ALL,
            admits: Types::ALL,
            description: None,
            constant: None,
            choices: None,
            number: None,
            string: None,
            array: None,
            object: None,
            reference: None,
            all_of: Box::default(),
            any_of: Box::default(),
            one_of: Box::default(),
            not: None,
        }
    }

    /// Whether no other schema applies to the same value.
    pub(super) fn stands_alone(&self) -> bool {
        let has_branches = !(self.all_of.is_empty() && self.any_of.is_empty() && self.one_of.is_empty());
        self.reference.is_none() && self.not.is_none() && !has_branches
    }

    /// The schemas that apply to the same value as this one.
    pub(super) fn in_place(&self) -> impl Iterator<Item = NodeId> + '_ {
        let lists = self.all_of.iter().chain(self.any_of.iter()).chain(self.one_of.iter());
        lists.copied().chain(self.reference).chain(self.not)
    }

    /// Whether the schema's own `type` names integers and no other numbers.
    pub(crate) fn is_integer(&self) -> bool {
        self.types.has(Types::INTEGER) && !self.types.has(Types::NUMBER)
    }

    /// Whether the schema's own `type` names numbers of any kind.
    pub(crate) fn says_number(&self) -> bool {
        self.types.has(Types::NUMBER) && self.types != Types::ALL
    }
}

/// Rules for numbers.
#[derive(Debug, Default)]
pub(super) struct NumberRules {
    pub(super) minimum: Option<Number>,
    pub(super) maximum: Option<Number>,
    pub(super) exclusive_minimum: Option<Number>,
    pub(super) exclusive_maximum: Option<Number>,
    pub(super) multiple_of: Option<Number>,
}

/// Rules for strings; lengths in characters.
#[derive(Debug, Default)]
pub(super) struct StringRules {
    pub(super) min_length: Option<u64>,
    pub(super) max_length: Option<u64>,
    pub(super) pattern: Option<Pattern>,
    pub(super) format: Option<Format>,
}

/// A regular expression beside its text in the schema.
#[derive(Debug)]
pub(super) struct Pattern {
    pub(super) text: Box<str>,
    pub(super) regex: Regex,
}

/// Rules for arrays.
#[derive(Debug, Default)]
pub(crate) struct ArrayRules {
    pub(crate) prefix: Box<[NodeId]>,
    pub(crate) items: Option<NodeId>,
    pub(super) contains: Option<Contains>,
    pub(super) min_items: Option<u64>,
    pub(super) max_items: Option<u64>,
    pub(super) unique: bool,
}

impl ArrayRules {
    /// The schema of the item at `index`.
    pub(crate) fn item(&self, index: usize) -> Option<NodeId> {
        self.prefix.get(index).copied().or(self.items)
    }
}

/// `contains` with its two bounds.
#[derive(Debug)]
pub(super) struct Contains {
    pub(super) node: NodeId,
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

/// Rules for objects.
#[derive(Debug, Default)]
pub(crate) struct ObjectRules {
    /// In the order of the schema, except that [`ObjectRules::cheap_first`] says in which order they are checked.
    pub(super) properties: Box<[Property]>,
    /// Indices into `properties`, sorted by name.
    pub(super) by_name: Box<[u32]>,
    /// Indices into `properties`: those that are judged without going deeper come first, so that the tag of a variant
    /// is looked at before its content.
    pub(super) cheap_first: Box<[u32]>,
    pub(super) required: Box<[Box<str>]>,
    pub(super) patterns: Box<[(Pattern, NodeId)]>,
    pub(super) additional: Option<NodeId>,
    pub(super) unevaluated: Option<NodeId>,
    pub(super) names: Option<NodeId>,
    pub(super) min_properties: Option<u64>,
    pub(super) max_properties: Option<u64>,
    pub(super) dependent: Box<[Dependent]>,
    /// The only keys admitted, sorted; `None` leaves other keys to `additional`.
    pub(super) closed: Option<Box<[Box<str>]>>,
}

/// `dependentRequired`: what must come along with a property.
#[derive(Debug)]
pub(super) struct Dependent {
    pub(super) name: Box<str>,
    pub(super) others: Box<[Box<str>]>,
}

/// A named property.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: Box<str>,
    pub(super) node: NodeId,
}

impl ObjectRules {
    /// The schema of the property of that name.
    pub(crate) fn property(&self, name: &str) -> Option<NodeId> {
        let found =
            self.by_name.binary_search_by(|&index| self.properties[index as usize].name.as_ref().cmp(name)).ok()?;
        Some(self.properties[self.by_name[found] as usize].node)
    }

    /// Every schema that this object schema itself lays on the value of `key`.
    pub(crate) fn schemas_of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = NodeId> + 'a {
        let named = self.property(key);
        let mut matched = self
            .patterns
            .iter()
            .filter(move |(pattern, _)| pattern.regex.is_match(key))
            .map(|(_, node)| *node)
            .peekable();
        let rest = if named.is_none() && matched.peek().is_none() { self.additional } else { None };
        named.into_iter().chain(matched).chain(rest)
    }

    /// Whether `key` must be there.
    pub(crate) fn requires(&self, key: &str) -> bool {
        self.required.iter().any(|name| name.as_ref() == key)
    }

    /// Whether `key` is named or matched by a pattern, so that `additionalProperties` does not apply to it.
    pub(super) fn lists(&self, key: &str) -> bool {
        self.property(key).is_some() || self.patterns.iter().any(|(pattern, _)| pattern.regex.is_match(key))
    }

    /// Whether an object that is closed to other keys refuses `key`.
    pub(super) fn shuts_out(&self, key: &str) -> bool {
        self.closed.as_ref().is_some_and(|keys| keys.binary_search_by(|known| known.as_ref().cmp(key)).is_err())
    }
}
