//! Alternatives none of which fits: which one was meant, and what to say if that cannot be told.

use serde_json::{Map, Value};

use super::describe::{describe, either};
use super::explain::Explainer;
use super::fault::{Problem, listed, shown};
use super::node::{Node, NodeId, ObjectRules, Types};
use crate::schema::Path;

/// The branch that the value is most likely meant for.
pub(super) fn meant(nodes: &[Node], branches: &[NodeId], value: &Value) -> Option<NodeId> {
    Alternatives { nodes, branches }.meant(value)
}

impl Explainer<'_> {
    /// None of the branches fits: explain the one that is meant, if that can be told, else say what they all expect.
    pub(super) fn alternatives(&mut self, branches: &[NodeId], value: &Value, at: &Path<'_>) {
        let alternatives = Alternatives { nodes: self.checker.nodes, branches };
        if let Some(branch) = alternatives.meant(value) {
            return self.explain(branch, value, at);
        }
        if let Value::Object(members) = value
            && let Some((tag, values)) = alternatives.common_tag()
        {
            let expected = format!("one of {}", listed(values.iter().map(|value| value.to_string())));
            let problem = match members.get(tag) {
                Some(came) if values.contains(&came) => None,
                Some(came) => Some(Problem::Expected { expected, got: shown(came) }),
                None => Some(Problem::Missing { expected, description: None }),
            };
            if let Some(problem) = problem {
                self.add(&at.key(tag), problem);
                let rules: Vec<&ObjectRules> = alternatives.objects().flatten().collect();
                for key in
                    members.keys().filter(|key| rules.iter().all(|rules| is_refused(self.checker.nodes, rules, key)))
                {
                    self.unknown(&rules, members, key, at);
                }
                return;
            }
        }
        self.expected(at, either(branches.iter().map(|&branch| alternatives.form(branch))), value);
    }
}

/// Whether an object with these rules may not have that key.
fn is_refused(nodes: &[Node], rules: &ObjectRules, key: &str) -> bool {
    let is_never = |id: NodeId| nodes[id.0 as usize].never;
    rules.shuts_out(key) || (!rules.lists(key) && rules.additional.is_some_and(is_never))
}

struct Alternatives<'v, 'b> {
    nodes: &'v [Node],
    branches: &'b [NodeId],
}

impl<'v> Alternatives<'v, '_> {
    fn node(&self, id: NodeId) -> &'v Node {
        &self.nodes[id.0 as usize]
    }

    /// The rules of each branch that an object may be meant for.
    fn objects(&self) -> impl Iterator<Item = Option<&'v ObjectRules>> {
        let branches = self.branches.iter().filter(|&&branch| self.node(branch).admits.has(Types::OBJECT));
        branches.map(|&branch| self.object_rules(branch))
    }

    /// A branch in a list of alternatives: objects are told apart by their keys.
    fn form(&self, branch: NodeId) -> String {
        match self.object_rules(branch) {
            Some(rules) if self.are_named() => match rules.required.first() {
                Some(name) => format!("an object {{{name:?}: …}}"),
                None => describe(self.nodes, branch),
            },
            Some(rules) if !rules.required.is_empty() => {
                let names = rules.required.iter().map(|name| match self.tag_value(rules, name) {
                    Some(value) => format!("`{name}`: {value}"),
                    None => format!("`{name}`"),
                });
                format!("an object with {}", listed(names.collect::<Vec<_>>().into_iter()))
            }
            _ => describe(self.nodes, branch),
        }
    }

    /// Whether each branch for an object has a single key, which names it.
    fn are_named(&self) -> bool {
        let is_named = |rules: Option<&'v ObjectRules>| {
            rules.is_some_and(|rules| match (&rules.properties[..], &rules.required[..]) {
                ([property], [name]) => property.name == *name && self.tag_value(rules, name).is_none(),
                _ => false,
            })
        };
        self.objects().next().is_some() && self.objects().all(is_named)
    }

    /// The rules for objects of a schema, those of what it refers to if it has none itself.
    fn object_rules(&self, id: NodeId) -> Option<&'v ObjectRules> {
        let node = self.node(id);
        match node.object.as_deref() {
            Some(rules) if !rules.properties.is_empty() || node.reference.is_none() => Some(rules),
            _ => self.object_rules(node.reference?),
        }
    }

    /// The only value of a property, if it has only one.
    fn tag_value(&self, rules: &'v ObjectRules, name: &str) -> Option<&'v Value> {
        let node = self.node(rules.property(name)?);
        match (&node.constant, node.choices.as_deref()) {
            (Some(value), _) | (None, Some([value])) => Some(value),
            _ => None,
        }
    }

    /// A property that has one value in each branch for an object, with these values.
    fn common_tag(&self) -> Option<(&'v str, Vec<&'v Value>)> {
        let rules: Vec<_> = self.objects().collect();
        let first = rules.first().copied().flatten()?;
        first.properties.iter().find_map(|property| {
            let values: Option<Vec<_>> = rules.iter().map(|rules| self.tag_value((*rules)?, &property.name)).collect();
            Some((property.name.as_ref(), values?))
        })
    }

    fn meant(&self, value: &Value) -> Option<NodeId> {
        let admits = |branch: &&NodeId| self.node(**branch).admits.has(Types::of(value));
        let of_type: Vec<NodeId> = self.branches.iter().filter(admits).copied().collect();
        match (value, &of_type[..]) {
            // A name may be that of a variant which comes as an object.
            (Value::String(_), [_]) if self.are_named() => return None,
            (_, [only]) => return Some(*only),
            _ => {}
        }
        let Value::Object(members) = value else { return None };
        let only = |fits: &dyn Fn(NodeId) -> bool| {
            let mut found = of_type.iter().copied().filter(|branch| fits(*branch));
            found.next().filter(|_| found.next().is_none())
        };
        if let Some(tagged) = only(&|branch| self.is_tagged(branch, members)) {
            return Some(tagged);
        }
        if self.common_tag().is_some() {
            return None;
        }
        // Without a tag: the branch all of whose required keys are there, if it is the only one.
        only(&|branch| {
            self.object_rules(branch).is_some_and(|rules| {
                !rules.required.is_empty() && rules.required.iter().all(|name| members.contains_key(name.as_ref()))
            })
        })
    }

    /// Whether the tags of a branch, of which it has some, are those of the object.
    fn is_tagged(&self, branch: NodeId, members: &Map<String, Value>) -> bool {
        let Some(rules) = self.object_rules(branch) else { return false };
        let mut tags = rules
            .properties
            .iter()
            .filter_map(|property| Some((members.get(property.name.as_ref())?, self.tag_value(rules, &property.name)?)))
            .peekable();
        tags.peek().is_some() && tags.all(|(came, tag)| came == tag)
    }
}
