//! Fitting values to the schema: what a model wrote as the wrong type becomes the right one where there is one reading.
//!
//! Only values that do not fit as they are get touched. Of what cannot be brought to fit, the faults are those that would
//! be left if all else had been sent as it should be, and they show what the model wrote.

use serde_json::{Map, Value};

use super::error::{ArgumentError, Excerpt};
use super::raw::{Lossy, Raw};
use super::repair::{Coercion, Repair};
use super::{integers, lenient, literal, members};
use crate::schema::number::equal;
use crate::schema::{Fault, NodeId, Path, Types, Validator, shown};

/// How many values, with all that is in them, are looked at for the sake of alternatives: so many, and each value of the
/// arguments so many times. Those of a recursive type could otherwise be tried without end.
const STEPS: usize = 20_000;
const STEPS_PER_VALUE: usize = 8;

/// How many combinations of alternatives are tried for one value.
const MAX_VIEWS: usize = 64;

/// Fits the arguments to the schema and checks them.
pub(super) fn fit(
    raw: &Raw,
    validator: &Validator,
    repairs: &mut Vec<Repair>,
) -> Result<Map<String, Value>, ArgumentError> {
    let mut fitter = Fitter {
        validator,
        changes: Vec::new(),
        steps: STEPS + STEPS_PER_VALUE * raw.size(),
        is_wrapped: false,
        is_unpacked: false,
    };
    let fitted = fitter.fit(&[validator.root()], raw, &Path::ROOT);
    let mut value =
        fitted.map_err(|lossy| ArgumentError::Number { path: lossy.path, literal: Excerpt::new(&lossy.literal) })?;
    let changes = fitter.changes;
    let as_written = |fault: Fault| match changes.iter().find(|change| change.path == fault.path()) {
        Some(change) => fault.of_written(&change.written),
        None => fault,
    };
    validator
        .validate(&value)
        .map_err(|faults| ArgumentError::Invalid(faults.into_iter().map(as_written).collect()))?;
    integers::settle(validator, &mut value);
    repairs.extend(changes.into_iter().map(|Change { path, coercion, .. }| Repair::Coerced { path, coercion }));
    Ok(members(value))
}

/// A value that was brought to another type.
struct Change {
    path: String,
    coercion: Coercion,
    /// What the model wrote.
    written: String,
}

struct Fitter<'v> {
    validator: &'v Validator,
    changes: Vec<Change>,
    /// How many are left.
    steps: usize,
    /// Whether the value at hand has just been put into an array: once is enough.
    is_wrapped: bool,
    /// Whether the value at hand comes out of a string: once is enough here too, or nesting would have no bound.
    is_unpacked: bool,
}

/// Schemas that all apply to a value, each looked at by itself, without its alternatives.
type View = Vec<NodeId>;

impl Fitter<'_> {
    fn coerced(&mut self, at: &Path<'_>, raw: &Raw, coercion: Coercion) {
        let written = match raw {
            Raw::Number(literal) => Excerpt::new(literal).to_string(),
            Raw::Text(text) => shown(&Value::from(text.as_str())),
            other => other.to_value(&String::new).map_or_else(|lossy| lossy.literal, |value| shown(&value)),
        };
        self.changes.push(Change { path: at.to_string(), coercion, written });
    }

    fn fits(&self, nodes: &[NodeId], value: &Value) -> bool {
        nodes.iter().all(|&node| self.validator.fits(node, value))
    }

    /// Fits a value to all of `nodes`.
    fn fit(&mut self, nodes: &[NodeId], raw: &Raw, at: &Path<'_>) -> Result<Value, Lossy> {
        let mut views = vec![Vec::new()];
        for &node in nodes {
            views = product(views, self.views(node));
        }
        if matches!(raw, Raw::Object(_) | Raw::Array(_)) {
            // Without alternatives, the whole fits if its parts do, and each part sees to itself.
            if let [view] = &views[..] {
                return self.fit_view(view, raw, at);
            }
            self.steps = self.steps.saturating_sub(raw.size());
        }
        let plain = || raw.to_value(&|| at.to_string());
        let fitting = plain();
        if self.steps == 0 || fitting.as_ref().is_ok_and(|value| self.fits(nodes, value)) {
            return fitting;
        }
        // Not kept while the parts are looked at: each level of a deep value would hold all that is below it.
        drop(fitting);
        let types = self.types(nodes);
        if is_null_text(raw) && !types.has(Types::STRING) && self.fits(nodes, &Value::Null) {
            self.coerced(at, raw, Coercion::NullFromText);
            return Ok(Value::Null);
        }
        if let [view] = &views[..] {
            return self.fit_view(view, raw, at);
        }
        // Among several readings the one with the fewest changes is meant; if two differ, none of them can be.
        let mark = self.changes.len();
        let mut best: Vec<(Value, Vec<Change>)> = Vec::new();
        for view in views.iter().take(MAX_VIEWS) {
            let fitted = self.fit_view(view, raw, at);
            let changes = self.changes.split_off(mark);
            let Some(value) = fitted.ok().filter(|value| self.fits(nodes, value)) else { continue };
            let fewest = best.first().map_or(usize::MAX, |(_, changes)| changes.len());
            if changes.len() < fewest {
                best.clear();
            }
            if changes.len() <= fewest && !best.iter().any(|(other, _)| equal(other, &value)) {
                best.push((value, changes));
            }
        }
        match (best.pop(), best.is_empty()) {
            (Some((value, changes)), true) => {
                self.changes.extend(changes);
                Ok(value)
            }
            (None, _) => self.fit_meant(nodes, types, raw, at).map_or_else(plain, Ok),
            _ => plain(),
        }
    }

    /// Fits a value, which does not fit, to the alternatives that are meant, as far as it goes.
    fn fit_meant(&mut self, nodes: &[NodeId], types: Types, raw: &Raw, at: &Path<'_>) -> Option<Value> {
        let unpacked = match raw {
            Raw::Text(text) if !types.has(Types::STRING) => self.unpack(text.trim()),
            _ => None,
        };
        let value = unpacked.as_ref().unwrap_or(raw).to_value(&String::new).ok()?;
        let views = nodes.iter().map(|&node| self.meant_view(node, &value));
        let view = views.collect::<Option<Vec<View>>>()?.concat();
        let mark = self.changes.len();
        let fitted = self.fit_view(&view, raw, at).ok();
        if fitted.is_none() {
            self.changes.truncate(mark);
        }
        fitted
    }

    /// The choice of alternatives that is meant, if that can be told.
    fn meant_view(&self, id: NodeId, value: &Value) -> Option<View> {
        let node = self.validator.node(id);
        let mut view = vec![id];
        for &part in node.reference.iter().chain(node.all_of.iter()) {
            view.extend(self.meant_view(part, value)?);
        }
        for branches in [&node.any_of, &node.one_of] {
            if !branches.is_empty() {
                let valid = || branches.iter().copied().find(|&branch| self.validator.fits(branch, value));
                view.extend(self.meant_view(valid().or_else(|| self.validator.meant(branches, value))?, value)?);
            }
        }
        Some(view)
    }

    /// Every way in which the alternatives of a schema can be chosen.
    fn views(&self, id: NodeId) -> Vec<View> {
        let node = self.validator.node(id);
        let mut views = vec![vec![id]];
        for &part in node.reference.iter().chain(node.all_of.iter()) {
            views = product(views, self.views(part));
        }
        for branches in [&node.any_of, &node.one_of] {
            if !branches.is_empty() {
                views =
                    product(views, branches.iter().flat_map(|&branch| self.views(branch)).take(MAX_VIEWS).collect());
            }
        }
        views
    }

    fn types(&self, view: &[NodeId]) -> Types {
        view.iter().fold(Types::ALL, |types, &node| types.and(self.validator.node(node).admits))
    }

    /// Fits a value to one choice of alternatives.
    fn fit_view(&mut self, view: &[NodeId], raw: &Raw, at: &Path<'_>) -> Result<Value, Lossy> {
        let types = self.types(view);
        let is_wrapped = std::mem::take(&mut self.is_wrapped);
        match raw {
            // Where anything goes, there is nothing to bring a value to.
            _ if types == Types::ALL && !matches!(raw, Raw::Object(_) | Raw::Array(_)) => {
                raw.to_value(&|| at.to_string())
            }
            Raw::Object(members) if types.has(Types::OBJECT) => self.object(view, members, at),
            Raw::Array(items) if types.has(Types::ARRAY) => self.array(view, items, at),
            Raw::Text(text) => self.text(view, types, text, is_wrapped, at),
            // Where numbers are admitted, a number is not turned into a string to save it.
            Raw::Number(literal) if types.has(Types::STRING) && !types.meets(Types::NUMBER) => {
                self.coerced(at, raw, Coercion::TextFromNumber);
                Ok(Value::String(literal.clone()))
            }
            Raw::Number(_) | Raw::Bool(_) | Raw::Object(_) if types.has(Types::ARRAY) && !is_wrapped => {
                self.wrapped(view, raw, at)
            }
            _ => raw.to_value(&|| at.to_string()),
        }
    }

    fn object(&mut self, view: &[NodeId], members: &[(String, Raw)], at: &Path<'_>) -> Result<Value, Lossy> {
        let validator = self.validator;
        let rules: Vec<_> = view.iter().filter_map(|&node| validator.node(node).object.as_deref()).collect();
        let mut result = Map::new();
        for (key, raw) in members {
            let place = at.key(key);
            let nodes: Vec<NodeId> = rules.iter().flat_map(|rules| rules.schemas_of(key)).collect();
            let is_optional = rules.iter().any(|rules| rules.property(key).is_some())
                && !rules.iter().any(|rules| rules.requires(key));
            let is_null = *raw == Raw::Null || (is_null_text(raw) && !self.types(&nodes).has(Types::STRING));
            if is_optional && is_null && !self.fits(&nodes, &Value::Null) {
                self.coerced(&place, raw, Coercion::NullDropped);
                continue;
            }
            result.insert(key.clone(), self.fit(&nodes, raw, &place)?);
        }
        Ok(Value::Object(result))
    }

    fn array(&mut self, view: &[NodeId], items: &[Raw], at: &Path<'_>) -> Result<Value, Lossy> {
        let fitted = items.iter().enumerate().map(|(index, item)| {
            let nodes = self.items(view, index);
            self.fit(&nodes, item, &at.index(index))
        });
        fitted.collect::<Result<Vec<_>, _>>().map(Value::Array)
    }

    fn items(&self, view: &[NodeId], index: usize) -> Vec<NodeId> {
        view.iter().filter_map(|&node| self.validator.node(node).array.as_deref()?.item(index)).collect()
    }

    fn text(
        &mut self,
        view: &[NodeId],
        types: Types,
        text: &str,
        is_wrapped: bool,
        at: &Path<'_>,
    ) -> Result<Value, Lossy> {
        let trimmed = text.trim();
        let raw = Raw::Text(text.to_owned());
        let plain = || Ok(Value::String(text.to_owned()));
        if types.has(Types::STRING) {
            // It is of the right type already; that it is not the right string cannot be helped.
            return plain();
        }
        if types.meets(Types::NUMBER) && literal::is_number(trimmed) {
            let number = Raw::Number(trimmed.to_owned()).to_value(&|| at.to_string())?;
            if types.has(Types::of(&number)) {
                self.coerced(at, &raw, Coercion::NumberFromText);
                return Ok(number);
            }
        }
        if types.has(Types::BOOLEAN) {
            let value = match trimmed {
                "true" | "True" | "TRUE" => Some(true),
                "false" | "False" | "FALSE" => Some(false),
                _ => None,
            };
            if let Some(value) = value {
                self.coerced(at, &raw, Coercion::BooleanFromText);
                return Ok(Value::Bool(value));
            }
        }
        if types.has(Types::NULL) && is_null_text(&raw) {
            self.coerced(at, &raw, Coercion::NullFromText);
            return Ok(Value::Null);
        }
        let wanted = |raw: &Raw| match raw {
            Raw::Object(_) => types.has(Types::OBJECT) || types.has(Types::ARRAY),
            Raw::Array(_) => types.has(Types::ARRAY),
            _ => false,
        };
        if let Some(inner) = self.unpack(trimmed).filter(wanted) {
            // What is in the text is what was meant, even if something is wrong with it.
            let mark = self.changes.len();
            self.coerced(at, &raw, Coercion::Unpacked);
            self.is_unpacked = true;
            let value = self.fit_view(view, &inner, at);
            self.is_unpacked = false;
            let value = value?;
            if self.types(view).has(Types::of(&value)) {
                return Ok(value);
            }
            self.changes.truncate(mark);
        }
        let is_nothing = ["", "null", "None"].contains(&trimmed);
        if types.has(Types::ARRAY) && !is_wrapped && !trimmed.starts_with(['[', '{']) && !is_nothing {
            return self.wrapped(view, &raw, at);
        }
        plain()
    }

    /// What is in a string, if it is an array or an object.
    fn unpack(&self, text: &str) -> Option<Raw> {
        if self.is_unpacked { None } else { lenient::unpack(text) }
    }

    /// A single value where an array is expected: the array of it, if that fits.
    fn wrapped(&mut self, view: &[NodeId], raw: &Raw, at: &Path<'_>) -> Result<Value, Lossy> {
        let mark = self.changes.len();
        let nodes = self.items(view, 0);
        self.coerced(at, raw, Coercion::Wrapped);
        self.is_wrapped = true;
        let array = self.fit(&nodes, raw, at).map(|item| Value::Array(vec![item]));
        self.is_wrapped = false;
        if let Ok(array) = array
            && self.fits(view, &array)
        {
            return Ok(array);
        }
        self.changes.truncate(mark);
        raw.to_value(&|| at.to_string())
    }
}

/// Whether this is `null` in quotes.
fn is_null_text(raw: &Raw) -> bool {
    matches!(raw, Raw::Text(text) if text.trim() == "null")
}

/// Each view of the one joined with each of the other.
fn product(left: Vec<View>, right: Vec<View>) -> Vec<View> {
    if let [only] = &right[..] {
        return left.into_iter().map(|view| [view, only.clone()].concat()).collect();
    }
    let pairs = left.iter().flat_map(|a| right.iter().map(move |b| [a.as_slice(), b.as_slice()].concat()));
    pairs.take(MAX_VIEWS).collect()
}
