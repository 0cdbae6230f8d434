//! Whether a value is valid. Nothing is allocated unless the schema makes the check run in circles.

use std::cmp::Ordering;
use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::node::{ArrayRules, Node, NodeId, NumberRules, ObjectRules, StringRules, Types};
use super::number::{all_different, compare, equal, is_multiple};
use crate::schema::member;

/// After so many visits the results are remembered: a recursive schema with alternatives could otherwise be made to
/// judge the same part of a value again and again, twice as often with each level.
const PATIENCE: u32 = 20_000;

/// One check of one value.
pub(super) struct Checker<'v> {
    pub(super) nodes: &'v [Node],
    visits: u32,
    /// Results by node and address of the value, which does not change during the check.
    known: HashMap<(NodeId, usize), bool>,
}

impl<'v> Checker<'v> {
    pub(super) fn new(nodes: &'v [Node]) -> Self {
        Checker { nodes, visits: 0, known: HashMap::new() }
    }

    pub(super) fn node(&self, id: NodeId) -> &'v Node {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn is_valid(&mut self, id: NodeId, value: &Value) -> bool {
        self.visits = self.visits.saturating_add(1);
        let remember = self.visits > PATIENCE && matches!(value, Value::Array(_) | Value::Object(_));
        let key = (id, std::ptr::from_ref(value).addr());
        if remember && let Some(&known) = self.known.get(&key) {
            return known;
        }
        let valid = self.judge(self.node(id), value);
        if remember {
            self.known.insert(key, valid);
        }
        valid
    }

    fn judge(&mut self, node: &'v Node, value: &Value) -> bool {
        let own = fits_itself(node, value);
        let inside = |checker: &mut Self| match value {
            Value::Array(items) => node.array.as_deref().is_none_or(|rules| checker.array(rules, items)),
            Value::Object(members) => node.object.as_deref().is_none_or(|rules| checker.object(rules, members)),
            _ => true,
        };
        own && inside(self)
            && node.reference.is_none_or(|target| self.is_valid(target, value))
            && node.all_of.iter().all(|&branch| self.is_valid(branch, value))
            && (node.any_of.is_empty() || node.any_of.iter().any(|&branch| self.is_valid(branch, value)))
            && (node.one_of.is_empty()
                || node.one_of.iter().filter(|&&branch| self.is_valid(branch, value)).take(2).count() == 1)
            && node.not.is_none_or(|inner| !self.is_valid(inner, value))
            && self.knows_the_rest(node, value)
    }

    fn array(&mut self, rules: &'v ArrayRules, items: &[Value]) -> bool {
        fits_size(rules, items)
            && items
                .iter()
                .enumerate()
                .all(|(index, item)| rules.item(index).is_none_or(|node| self.is_valid(node, item)))
            && self.holds(rules, items)
    }

    /// `contains` with its bounds.
    pub(super) fn holds(&mut self, rules: &'v ArrayRules, items: &[Value]) -> bool {
        let Some(contains) = &rules.contains else { return true };
        let count = items.iter().filter(|item| self.is_valid(contains.node, item)).count() as u64;
        count >= contains.min && contains.max.is_none_or(|max| count <= max)
    }

    fn object(&mut self, rules: &'v ObjectRules, members: &Map<String, Value>) -> bool {
        let mut known = 0;
        let all_fit = fits_keys(rules, members)
            && rules.cheap_first.iter().all(|&index| {
                let property = &rules.properties[index as usize];
                let Some(value) = member(members, &property.name) else { return true };
                known += 1;
                let node = self.node(property.node);
                if node.stands_alone() && !matches!(value, Value::Array(_) | Value::Object(_)) {
                    // Most arguments are single values, of which there is nothing more to know.
                    return fits_itself(node, value);
                }
                self.is_valid(property.node, value)
            });
        all_fit
            && (known == members.len() || rules.closed.is_none() || members.keys().all(|key| !rules.shuts_out(key)))
            && (rules.patterns.is_empty() && rules.additional.is_none()
                || members.iter().all(|(key, value)| self.unnamed(rules, key, value)))
            && rules.names.is_none_or(|names| members.keys().all(|key| self.is_name(names, key)))
    }

    /// Judges a member by the patterns, and by `additionalProperties` if nothing else speaks of it.
    fn unnamed(&mut self, rules: &'v ObjectRules, key: &str, value: &Value) -> bool {
        let mut listed = rules.property(key).is_some();
        for (pattern, node) in &rules.patterns {
            if pattern.regex.is_match(key) {
                listed = true;
                if !self.is_valid(*node, value) {
                    return false;
                }
            }
        }
        listed || rules.additional.is_none_or(|node| self.is_valid(node, value))
    }

    /// Whether `key` fits `propertyNames`.
    pub(super) fn is_name(&mut self, names: NodeId, key: &str) -> bool {
        // The name has to be a value for this; remembered results must not outlive it.
        Checker::new(self.nodes).is_valid(names, &Value::String(key.to_owned()))
    }

    /// `unevaluatedProperties`: judges the members that nothing else in the schema has spoken of.
    fn knows_the_rest(&mut self, node: &'v Node, value: &Value) -> bool {
        let (Some(rules), Value::Object(members)) = (node.object.as_deref(), value) else { return true };
        let Some(rest) = rules.unevaluated else { return true };
        members.iter().all(|(key, member)| self.speaks_of(node, value, key, false) || self.is_valid(rest, member))
    }

    /// Whether a part of the schema that holds for `value` speaks of its member `key`.
    pub(super) fn speaks_of(&mut self, node: &'v Node, value: &Value, key: &str, with_rest: bool) -> bool {
        let itself = |rules: &ObjectRules| {
            rules.lists(key) || rules.additional.is_some() || (with_rest && rules.unevaluated.is_some())
        };
        if node.object.as_deref().is_some_and(itself) {
            return true;
        }
        let sure = node.reference.iter().chain(node.all_of.iter());
        if sure.copied().any(|id| self.speaks_of(self.node(id), value, key, true)) {
            return true;
        }
        let perhaps = node.any_of.iter().chain(node.one_of.iter());
        perhaps.copied().any(|id| self.is_valid(id, value) && self.speaks_of(self.node(id), value, key, true))
    }
}

/// Whether the value fits all that the schema says of it as a whole: its type, its being one of some values, its size.
pub(super) fn fits_itself(node: &Node, value: &Value) -> bool {
    !node.never
        && (node.types == Types::ALL || node.types.has(Types::of(value)))
        && node.constant.as_ref().is_none_or(|constant| equal(constant, value))
        && node.choices.as_deref().is_none_or(|choices| choices.iter().any(|choice| equal(choice, value)))
        && match value {
            Value::Number(number) => node.number.as_deref().is_none_or(|rules| fits_number(rules, number)),
            Value::String(text) => node.string.as_deref().is_none_or(|rules| fits_string(rules, text)),
            _ => true,
        }
}

fn fits_number(rules: &NumberRules, number: &Number) -> bool {
    let holds = |limit: &Option<Number>, admitted: &[Ordering]| {
        limit.as_ref().is_none_or(|limit| compare(number, limit).is_some_and(|order| admitted.contains(&order)))
    };
    holds(&rules.minimum, &[Ordering::Greater, Ordering::Equal])
        && holds(&rules.maximum, &[Ordering::Less, Ordering::Equal])
        && holds(&rules.exclusive_minimum, &[Ordering::Greater])
        && holds(&rules.exclusive_maximum, &[Ordering::Less])
        && rules.multiple_of.as_ref().is_none_or(|step| is_multiple(number, step))
}

fn fits_string(rules: &StringRules, text: &str) -> bool {
    fits_length(rules, text)
        && rules.pattern.as_ref().is_none_or(|pattern| pattern.regex.is_match(text))
        && rules.format.is_none_or(|format| format.admits(text))
}

fn fits_length(rules: &StringRules, text: &str) -> bool {
    // A character has one to four bytes, which mostly settles it without counting.
    let (least, most) = (text.len().div_ceil(4) as u64, text.len() as u64);
    let (min, max) = (rules.min_length.unwrap_or(0), rules.max_length.unwrap_or(u64::MAX));
    if least >= min && most <= max {
        return true;
    }
    let length = text.chars().count() as u64;
    (min..=max).contains(&length)
}

/// Whether the array's length and the difference of its items are as they should be.
fn fits_size(rules: &ArrayRules, items: &[Value]) -> bool {
    let length = items.len() as u64;
    rules.min_items.is_none_or(|min| length >= min)
        && rules.max_items.is_none_or(|max| length <= max)
        && (!rules.unique || all_different(items))
}

/// Whether the keys that have to be there are there, whatever their values.
fn fits_keys(rules: &ObjectRules, members: &Map<String, Value>) -> bool {
    let count = members.len() as u64;
    rules.required.iter().all(|name| member(members, name).is_some())
        && rules.min_properties.is_none_or(|min| count >= min)
        && rules.max_properties.is_none_or(|max| count <= max)
        && rules.dependent.iter().all(|rule| {
            let others = || rule.others.iter().all(|other| members.contains_key(other.as_ref()));
            !members.contains_key(rule.name.as_ref()) || others()
        })
}
