//! Every fault of a value that is not valid.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::check::{Checker, fits_itself};
use super::describe::{describe, either, size};
use super::fault::{Fault, Problem, did_you_mean, key_form, shown};
use super::node::{ArrayRules, Node, NodeId, ObjectRules};
use super::number::equal_pair;
use crate::schema::Path;

/// The faults of `value`, in the order of its members, each once; empty if it is valid.
pub(super) fn faults(nodes: &[Node], root: NodeId, value: &Value) -> Vec<Fault> {
    let mut explainer = Explainer { checker: Checker::new(nodes), faults: Vec::new() };
    explainer.explain(root, value, &Path::ROOT);
    let mut seen = HashSet::new();
    explainer.faults.retain(|fault| {
        seen.insert((fault.path().to_owned(), if fault.is_unknown() { String::new() } else { fault.to_string() }))
    });
    explainer.faults
}

pub(super) struct Explainer<'v> {
    pub(super) checker: Checker<'v>,
    faults: Vec<Fault>,
}

impl<'v> Explainer<'v> {
    pub(super) fn add(&mut self, at: &Path<'_>, problem: Problem) {
        self.faults.push(Fault::new(at.to_string(), problem));
    }

    pub(super) fn expected(&mut self, at: &Path<'_>, expected: String, value: &Value) {
        self.add(at, Problem::Expected { expected, got: shown(value) });
    }

    /// Adds at least one fault if `value` is not valid.
    pub(super) fn explain(&mut self, id: NodeId, value: &Value, at: &Path<'_>) {
        if self.checker.is_valid(id, value) {
            return;
        }
        let node = self.checker.node(id);
        let before = self.faults.len();
        if !fits_itself(node, value) {
            return self.expected(at, describe(self.checker.nodes, id), value);
        }
        match value {
            Value::Array(items) => {
                node.array.as_deref().into_iter().for_each(|rules| self.array(rules, items, value, at))
            }
            Value::Object(members) => {
                node.object.as_deref().into_iter().for_each(|rules| self.object(rules, members, at))
            }
            _ => {}
        }
        node.reference.iter().chain(node.all_of.iter()).for_each(|&part| self.explain(part, value, at));
        for branches in [&node.any_of, &node.one_of] {
            let valid: Vec<NodeId> =
                branches.iter().copied().filter(|&branch| self.checker.is_valid(branch, value)).collect();
            match valid.len() {
                0 if !branches.is_empty() => self.alternatives(branches, value, at),
                2.. if std::ptr::eq(branches, &node.one_of) => {
                    let phrases = either(valid.iter().map(|&branch| describe(self.checker.nodes, branch)));
                    self.expected(at, format!("exactly one of several forms ({phrases})"), value);
                }
                _ => {}
            }
        }
        if let Some(inner) = node.not
            && self.checker.is_valid(inner, value)
        {
            self.expected(at, format!("anything but {}", describe(self.checker.nodes, inner)), value);
        }
        if let (Some(rest), Value::Object(members)) =
            (node.object.as_deref().and_then(|rules| rules.unevaluated), value)
        {
            for (key, member) in members {
                if self.checker.speaks_of(node, value, key, false) {
                    continue;
                }
                if self.checker.node(rest).never {
                    self.unknown(&[], members, key, at);
                } else {
                    self.explain(rest, member, &at.key(key));
                }
            }
        }
        if self.faults.len() == before {
            self.expected(at, describe(self.checker.nodes, id), value);
        }
    }

    fn array(&mut self, rules: &'v ArrayRules, items: &[Value], value: &Value, at: &Path<'_>) {
        let count = items.len();
        let length = count as u64;
        if rules.min_items.is_some_and(|min| length < min) || rules.max_items.is_some_and(|max| length > max) {
            let expected = format!("an array{}", size(rules.min_items, rules.max_items, "item"));
            let got = format!("{count} item{}", if count == 1 { "" } else { "s" });
            self.add(at, Problem::Expected { expected, got });
        }
        if rules.unique
            && let Some((first, second)) = equal_pair(items)
        {
            let item = shown(&items[second]);
            let text = format!("no two items may be equal, and {item} comes twice, at [{first}] and [{second}]");
            self.add(at, Problem::Other(text));
        }
        for (index, item) in items.iter().enumerate() {
            if let Some(node) = rules.item(index) {
                self.explain(node, item, &at.index(index));
            }
        }
        if !self.checker.holds(rules, items)
            && let Some(contains) = &rules.contains
        {
            let bounds = size(Some(contains.min), contains.max, "item");
            self.expected(
                at,
                format!(
                    "an array with{} that {} {}",
                    bounds.replacen(" of", "", 1),
                    "are",
                    describe(self.checker.nodes, contains.node)
                ),
                value,
            );
        }
    }

    fn object(&mut self, rules: &'v ObjectRules, members: &Map<String, Value>, at: &Path<'_>) {
        for name in rules.required.iter().filter(|name| !members.contains_key(name.as_ref())) {
            self.missing(rules, name, at);
        }
        let count = members.len() as u64;
        if rules.min_properties.is_some_and(|min| count < min) || rules.max_properties.is_some_and(|max| count > max) {
            let expected = format!("an object{}", size(rules.min_properties, rules.max_properties, "member"));
            self.add(at, Problem::Expected { expected, got: count.to_string() });
        }
        for rule in rules.dependent.iter().filter(|rule| members.contains_key(rule.name.as_ref())) {
            for other in rule.others.iter().filter(|other| !members.contains_key(other.as_ref())) {
                self.add(&at.key(other), Problem::Other(format!("missing; it must come with `{}`", rule.name)));
            }
        }
        for (key, value) in members {
            let place = at.key(key);
            if rules.shuts_out(key) {
                self.unknown(&[rules], members, key, at);
            } else {
                if let Some(node) = rules.property(key) {
                    self.explain(node, value, &place);
                }
                for (_, node) in rules.patterns.iter().filter(|(pattern, _)| pattern.regex.is_match(key)) {
                    self.explain(*node, value, &place);
                }
                if let (Some(node), false) = (rules.additional, rules.lists(key)) {
                    if self.checker.node(node).never {
                        self.unknown(&[rules], members, key, at);
                    } else {
                        self.explain(node, value, &place);
                    }
                }
            }
            if let Some(names) = rules.names
                && !self.checker.is_name(names, key)
            {
                let expected = describe(self.checker.nodes, names);
                self.add(&place, Problem::Other(format!("its name must be {expected}")));
            }
        }
    }

    fn missing(&mut self, rules: &'v ObjectRules, name: &str, at: &Path<'_>) {
        let property = rules.property(name);
        let expected = property.map_or_else(|| "a value".to_owned(), |node| describe(self.checker.nodes, node));
        let description = property.and_then(|node| self.checker.node(node).description.as_deref());
        let description = description
            .and_then(|text| text.lines().next())
            .filter(|line| line.chars().count() <= 120)
            .map(str::to_owned);
        self.add(&at.key(name), Problem::Missing { expected, description });
    }

    /// A key that all of `rules` shut out. The keys that are there already are not suggested.
    pub(super) fn unknown(
        &mut self,
        rules: &[&'v ObjectRules],
        members: &Map<String, Value>,
        key: &str,
        at: &Path<'_>,
    ) {
        let declared = rules.iter().flat_map(|rules| rules.properties.iter().map(|property| property.name.as_ref()));
        let admitted = rules.iter().flat_map(|rules| rules.closed.iter().flatten().map(AsRef::as_ref));
        let mut known: Vec<&str> = Vec::new();
        let mut listed = HashSet::new();
        known.extend(declared.chain(admitted).filter(|name| listed.insert(*name)));
        let mut patterns: Vec<String> = Vec::new();
        for (pattern, _) in rules.iter().flat_map(|rules| &rules.patterns) {
            let form = key_form(&pattern.text);
            if !patterns.contains(&form) {
                patterns.push(form);
            }
        }
        let free = known.iter().copied().filter(|name| !members.contains_key(*name));
        let suggestion = did_you_mean(key, free).map(str::to_owned);
        let known = known.into_iter().map(str::to_owned).collect();
        self.add(&at.key(key), Problem::Unknown { suggestion, known, patterns });
    }
}
