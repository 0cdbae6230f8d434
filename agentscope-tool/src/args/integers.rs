//! Floats without a fraction where the schema asks for an integer: `3.0` becomes `3`, which is what types decode.

use serde_json::{Number, Value};

use crate::schema::{NodeId, Types, Validator};

/// Writes the integers of a valid value as such.
pub(super) fn settle(validator: &Validator, value: &mut Value) {
    walk(validator, &[validator.root()], value);
}

/// `nodes` are the schemas that apply to `value`.
fn walk(validator: &Validator, nodes: &[NodeId], value: &mut Value) {
    let mut applied = Vec::new();
    nodes.iter().for_each(|&node| add_applied(validator, node, value, &mut applied));
    match value {
        Value::Number(number) => {
            let says_integer = applied.iter().any(|&id| validator.node(id).is_integer());
            // In a choice between integers and other numbers a float stays one.
            let says_number = applied.iter().any(|&id| validator.node(id).says_number());
            if says_integer
                && !says_number
                && let Some(integer) = integral(number)
            {
                *number = integer;
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                let rules = applied.iter().filter_map(|&id| validator.node(id).array.as_deref());
                let inner: Vec<NodeId> = rules.filter_map(|rules| rules.item(index)).collect();
                walk(validator, &inner, item);
            }
        }
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                let rules = applied.iter().filter_map(|&id| validator.node(id).object.as_deref());
                let inner: Vec<NodeId> = rules.flat_map(|rules| rules.schemas_of(key)).collect();
                walk(validator, &inner, member);
            }
        }
        _ => {}
    }
}

/// Adds the node and what else applies to the value with it: of alternatives, those that are valid.
fn add_applied(validator: &Validator, id: NodeId, value: &Value, applied: &mut Vec<NodeId>) {
    let node = validator.node(id);
    if applied.contains(&id) || !node.admits.meets(Types::of(value)) {
        return;
    }
    applied.push(id);
    node.reference.iter().chain(node.all_of.iter()).for_each(|&part| add_applied(validator, part, value, applied));
    for &branch in node.any_of.iter().chain(node.one_of.iter()) {
        if validator.fits(branch, value) {
            add_applied(validator, branch, value, applied);
        }
    }
}

/// The float as an integer, if it is one that fits.
fn integral(number: &Number) -> Option<Number> {
    if number.is_u64() || number.is_i64() {
        return None;
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
    // Both bounds are floats exactly; a float below them is an integer that the cast keeps.
    const U64_END: f64 = 18_446_744_073_709_551_616.0;
    const I64_START: f64 = -9_223_372_036_854_775_808.0;
    if (0.0..U64_END).contains(&float) {
        Some(Number::from(float as u64))
    } else if (I64_START..0.0).contains(&float) {
        Some(Number::from(float as i64))
    } else {
        None
    }
}
