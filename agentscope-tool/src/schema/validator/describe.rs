//! What a schema expects, as a phrase: "an integer of at least 1", "one of \"a\", \"b\"".

use serde_json::Value;

use super::fault::listed;
use super::node::{ArrayRules, Node, NodeId, NumberRules, StringRules, Types};

/// How far into items and alternatives a phrase goes.
const MAX_DEPTH: usize = 3;

/// The phrase for a schema.
pub(super) fn describe(nodes: &[Node], id: NodeId) -> String {
    phrase(nodes, id, MAX_DEPTH)
}

fn phrase(nodes: &[Node], id: NodeId, depth: usize) -> String {
    let node = &nodes[id.0 as usize];
    if node.never {
        return "nothing here".to_owned();
    }
    if let Some(constant) = &node.constant {
        return constant.to_string();
    }
    if let Some(choices) = &node.choices {
        return match &choices[..] {
            [only] => only.to_string(),
            choices => format!("one of {}", listed(choices.iter().map(Value::to_string))),
        };
    }
    if let Some(depth) = depth.checked_sub(1) {
        let alternatives = if node.any_of.is_empty() { &node.one_of } else { &node.any_of };
        if !alternatives.is_empty() {
            return either(alternatives.iter().map(|&branch| phrase(nodes, branch, depth)));
        }
        if node.types == Types::ALL
            && let Some(target) = node.reference.or(node.all_of.first().copied())
        {
            return phrase(nodes, target, depth);
        }
    }
    let types = node.types.and(node.admits);
    let wanted = if types == Types::ALL { implied(node) } else { types };
    if wanted == Types::ALL {
        return match node.not {
            Some(inner) if depth > 0 => format!("anything but {}", phrase(nodes, inner, depth - 1)),
            _ => "a value".to_owned(),
        };
    }
    let kinds = [
        (Types::INTEGER, "integer"),
        (Types::STRING, "string"),
        (Types::BOOLEAN, "boolean"),
        (Types::ARRAY, "array"),
        (Types::OBJECT, "object"),
        (Types::NULL, "null"),
    ];
    either(kinds.iter().filter(|(kind, _)| wanted.meets(*kind)).map(|(_, kind)| match *kind {
        "integer" if wanted.has(Types::NUMBER) => number("a number", node.number.as_deref()),
        "integer" => number("an integer", node.number.as_deref()),
        "string" => string(node.string.as_deref()),
        "boolean" => "true or false".to_owned(),
        "array" => array(nodes, node.array.as_deref(), depth),
        "object" => "an object".to_owned(),
        other => other.to_owned(),
    }))
}

/// The type that a schema without `type` has rules for.
fn implied(node: &Node) -> Types {
    [
        (node.number.is_some(), Types::NUMBER),
        (node.string.is_some(), Types::STRING),
        (node.array.is_some(), Types::ARRAY),
        (node.object.is_some(), Types::OBJECT),
    ]
    .iter()
    .find(|(has_rules, _)| *has_rules)
    .map_or(Types::ALL, |(_, types)| *types)
}

/// The phrases, without repetitions, joined by "or".
pub(super) fn either(phrases: impl Iterator<Item = String>) -> String {
    let mut different: Vec<String> = Vec::new();
    for phrase in phrases {
        if !different.contains(&phrase) {
            different.push(phrase);
        }
    }
    different.join(" or ")
}

fn number(noun: &str, rules: Option<&NumberRules>) -> String {
    let Some(rules) = rules else { return noun.to_owned() };
    let mut bounds = Vec::new();
    match (&rules.minimum, &rules.maximum) {
        (Some(min), Some(max)) => bounds.push(format!("from {min} to {max}")),
        (Some(min), None) => bounds.push(format!("of at least {min}")),
        (None, Some(max)) => bounds.push(format!("of at most {max}")),
        (None, None) => {}
    }
    bounds.extend(rules.exclusive_minimum.iter().map(|min| format!("greater than {min}")));
    bounds.extend(rules.exclusive_maximum.iter().map(|max| format!("less than {max}")));
    bounds.extend(rules.multiple_of.iter().map(|step| format!("that is a multiple of {step}")));
    if bounds.is_empty() { noun.to_owned() } else { format!("{noun} {}", bounds.join(" and ")) }
}

fn string(rules: Option<&StringRules>) -> String {
    let Some(rules) = rules else { return "a string".to_owned() };
    let mut text = rules.format.map_or("a string", |format| format.phrase()).to_owned();
    match (rules.min_length, rules.max_length) {
        (Some(1), None) => text.push_str(" that is not empty"),
        (min, max) => text.push_str(&size(min, max, "character")),
    }
    if let Some(pattern) = &rules.pattern {
        text.push_str(&format!(" that matches `{}`", pattern.text));
    }
    text
}

fn array(nodes: &[Node], rules: Option<&ArrayRules>, depth: usize) -> String {
    let Some(rules) = rules else { return "an array".to_owned() };
    let mut text = "an array".to_owned();
    text.push_str(&size(rules.min_items, rules.max_items, "item"));
    if rules.unique {
        text.push_str(" that all differ");
    }
    if let (Some(items), Some(depth), true) = (rules.items, depth.checked_sub(1), rules.prefix.is_empty()) {
        let item = phrase(nodes, items, depth);
        if item != "a value" {
            text.push_str(&format!(", each {item}"));
        }
    }
    text
}

/// " of 1 to 3 items"
pub(super) fn size(min: Option<u64>, max: Option<u64>, noun: &str) -> String {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    match (min, max) {
        (Some(min), Some(max)) if min == max => format!(" of {min} {noun}{}", plural(min)),
        (Some(min), Some(max)) => format!(" of {min} to {max} {noun}s"),
        (Some(min), None) => format!(" of at least {min} {noun}{}", plural(min)),
        (None, Some(max)) => format!(" of at most {max} {noun}{}", plural(max)),
        (None, None) => String::new(),
    }
}
