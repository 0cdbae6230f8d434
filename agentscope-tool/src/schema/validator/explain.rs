//! Every fault of a value that is not valid.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::check::{Checker, fits_itself, fits_size};
use super::describe::{describe, either, size};
use super::fault::{Fault, Problem, did_you_mean, listed, shown};
use super::node::{ArrayRules, Node, NodeId, ObjectRules, Types};
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

struct Explainer<'v> {
    checker: Checker<'v>,
    faults: Vec<Fault>,
}

impl<'v> Explainer<'v> {
    fn add(&mut self, at: &Path<'_>, problem: Problem) {
        self.faults.push(Fault::new(at.to_string(), problem));
    }

    fn expected(&mut self, at: &Path<'_>, expected: String, value: &Value) {
        self.add(at, Problem::Expected { expected, got: shown(value) });
    }

    /// Adds at least one fault if `value` is not valid.
    fn explain(&mut self, id: NodeId, value: &Value, at: &Path<'_>) {
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
                if !self.checker.speaks_of(node, value, key, false) {
                    self.additional(rest, key, member, &[], at);
                }
            }
        }
        if self.faults.len() == before {
            self.expected(at, describe(self.checker.nodes, id), value);
        }
    }

    fn array(&mut self, rules: &'v ArrayRules, items: &[Value], value: &Value, at: &Path<'_>) {
        if !fits_size(rules, items) {
            let different = if rules.unique { ", no two of them equal" } else { "" };
            let count = items.len();
            let expected = format!("an array{}{different}", size(rules.min_items, rules.max_items, "item"));
            self.add(
                at,
                Problem::Expected { expected, got: format!("{count} item{}", if count == 1 { "" } else { "s" }) },
            );
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
        let known = || -> Vec<&str> { rules.properties.iter().map(|property| property.name.as_ref()).collect() };
        for (key, value) in members {
            let place = at.key(key);
            if rules.shuts_out(key) {
                let declared = known();
                let rest = rules.closed.iter().flatten().map(AsRef::as_ref).filter(|name| !declared.contains(name));
                let all: Vec<&str> = declared.iter().copied().chain(rest).collect();
                self.unknown(&all, members, key, at);
            } else {
                if let Some(node) = rules.property(key) {
                    self.explain(node, value, &place);
                }
                for (_, node) in rules.patterns.iter().filter(|(pattern, _)| pattern.regex.is_match(key)) {
                    self.explain(*node, value, &place);
                }
                if let (Some(node), false) = (rules.additional, rules.lists(key)) {
                    if self.checker.node(node).never {
                        self.unknown(&known(), members, key, at);
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

    /// A key that is shut out. The keys that are there already are not suggested.
    fn unknown(&mut self, known: &[&str], members: &Map<String, Value>, key: &str, at: &Path<'_>) {
        let free = known.iter().copied().filter(|name| !members.contains_key(*name));
        let suggestion = did_you_mean(key, free).map(str::to_owned);
        self.add(
            &at.key(key),
            Problem::Unknown { suggestion, known: known.iter().map(|name| (*name).to_owned()).collect() },
        );
    }

    fn additional(&mut self, node: NodeId, key: &str, value: &Value, known: &[&str], at: &Path<'_>) {
        if self.checker.node(node).never {
            self.unknown(known, &Map::new(), key, at);
        } else {
            self.explain(node, value, &at.key(key));
        }
    }

    /// None of the branches fits: explain the one that is meant, if that can be told, else say what they all expect.
    fn alternatives(&mut self, branches: &[NodeId], value: &Value, at: &Path<'_>) {
        if let Some(branch) = self.meant(branches, value) {
            return self.explain(branch, value, at);
        }
        if let Value::Object(members) = value
            && let Some((tag, values)) = self.common_tag(branches)
        {
            let expected = format!("one of {}", listed(values.iter().map(|value| value.to_string())));
            let problem = match members.get(tag) {
                Some(came) if values.contains(&came) => None,
                Some(came) => Some(Problem::Expected { expected, got: shown(came) }),
                None => Some(Problem::Missing { expected, description: None }),
            };
            if let Some(problem) = problem {
                return self.add(&at.key(tag), problem);
            }
        }
        let nodes = self.checker.nodes;
        self.expected(at, either(branches.iter().map(|&branch| self.form(nodes, branch))), value);
    }

    /// A branch in a list of alternatives: objects are told apart by their keys.
    fn form(&self, nodes: &[Node], branch: NodeId) -> String {
        match self.object_rules(branch) {
            Some(rules) if !rules.required.is_empty() => {
                let names = rules.required.iter().map(|name| match self.tag_value(rules, name) {
                    Some(value) => format!("`{name}`: {value}"),
                    None => format!("`{name}`"),
                });
                format!("an object with {}", listed(names.collect::<Vec<_>>().into_iter()))
            }
            _ => describe(nodes, branch),
        }
    }

    /// The rules for objects of a schema, those of what it refers to if it has none itself.
    fn object_rules(&self, id: NodeId) -> Option<&'v ObjectRules> {
        let node = self.checker.node(id);
        match node.object.as_deref() {
            Some(rules) if !rules.properties.is_empty() || node.reference.is_none() => Some(rules),
            _ => self.object_rules(node.reference?),
        }
    }

    /// The only value of a property, if it has only one.
    fn tag_value(&self, rules: &'v ObjectRules, name: &str) -> Option<&'v Value> {
        let node = self.checker.node(rules.property(name)?);
        match (&node.constant, node.choices.as_deref()) {
            (Some(value), _) | (None, Some([value])) => Some(value),
            _ => None,
        }
    }

    /// A property that has one value in each branch for an object, with these values.
    fn common_tag(&self, branches: &[NodeId]) -> Option<(&'v str, Vec<&'v Value>)> {
        let rules: Vec<_> = branches
            .iter()
            .filter(|&&branch| self.checker.node(branch).admits.has(Types::OBJECT))
            .map(|&branch| self.object_rules(branch))
            .collect();
        let first = rules.first().copied().flatten()?;
        first.properties.iter().find_map(|property| {
            let values: Option<Vec<_>> = rules.iter().map(|rules| self.tag_value((*rules)?, &property.name)).collect();
            Some((property.name.as_ref(), values?))
        })
    }

    /// The branch that the value is most likely meant for.
    fn meant(&self, branches: &[NodeId], value: &Value) -> Option<NodeId> {
        let admits = |branch: &&NodeId| self.checker.node(**branch).admits.has(Types::of(value));
        let of_type: Vec<NodeId> = branches.iter().filter(admits).copied().collect();
        if let [only] = of_type[..] {
            return Some(only);
        }
        let Value::Object(members) = value else { return None };
        let tagged = |branch: &NodeId| {
            let Some(rules) = self.object_rules(*branch) else { return false };
            let mut tags = rules
                .properties
                .iter()
                .filter_map(|property| {
                    Some((members.get(property.name.as_ref())?, self.tag_value(rules, &property.name)?))
                })
                .peekable();
            tags.peek().is_some() && tags.all(|(came, tag)| came == tag)
        };
        if let [only] = of_type.iter().copied().filter(tagged).collect::<Vec<_>>()[..] {
            return Some(only);
        }
        if self.common_tag(branches).is_some() {
            return None;
        }
        // Without a tag: the branch all of whose required keys are there, if it is the only one.
        let complete = |branch: &NodeId| {
            self.object_rules(*branch).is_some_and(|rules| {
                !rules.required.is_empty() && rules.required.iter().all(|name| members.contains_key(name.as_ref()))
            })
        };
        match of_type.iter().copied().filter(complete).collect::<Vec<_>>()[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}
