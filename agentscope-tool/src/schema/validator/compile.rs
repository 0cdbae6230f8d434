//! From a schema's JSON to its nodes.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::error::SchemaError;
use super::format::Format;
use super::keys::{self, Keys};
use super::node::{
    ArrayRules, Contains, Dependent, Node, NodeId, NumberRules, ObjectRules, Pattern, Property, StringRules, Types,
};
use super::pattern;
use crate::schema::pointer::{escaped, percent_decoded};

/// Keywords that say nothing about validity, besides all that start with `x-`.
const REMARKS: &[&str] = &[
    "$schema",
    "$comment",
    "title",
    "description",
    "default",
    "example",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "discriminator",
];

/// How deep a schema may be nested.
const MAX_DEPTH: usize = 100;

/// The result of a compilation.
pub(super) struct Compiled {
    pub(super) nodes: Box<[Node]>,
    pub(super) root: NodeId,
    /// Whether a keyword was left out that only the `jsonschema` crate knows.
    pub(super) foreign: bool,
}

/// How a schema treats keys that it does not name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// As JSON Schema has it.
    Plain,
    /// Closed, except to these keys of the schemas around it.
    Closed(Keys),
}

impl Mode {
    /// The mode of a schema for another value: a property, an item.
    fn inside(&self) -> Mode {
        match self {
            Mode::Plain => Mode::Plain,
            Mode::Closed(_) => Mode::Closed(Keys::none()),
        }
    }
}

/// Compiles `schema`. With `lenient`, unknown keywords are left out and noted instead of refused.
pub(super) fn compile(schema: &Value, mode: Mode, lenient: bool) -> Result<Compiled, SchemaError> {
    let mut compiler = Compiler {
        root: schema,
        nodes: Vec::new(),
        places: Vec::new(),
        known: HashMap::new(),
        lenient,
        foreign: false,
        depth: 0,
    };
    let root = compiler.reference_target("#", "#", schema, &mode)?;
    compiler.settle_types()?;
    Ok(Compiled { nodes: compiler.nodes.into(), root, foreign: compiler.foreign })
}

/// The schema that a `$ref` of the same document points to.
pub(super) fn resolve<'a>(reference: &str, root: &'a Value) -> Option<&'a Value> {
    let pointer = reference.strip_prefix('#')?;
    root.pointer(&percent_decoded(pointer))
}

struct Compiler<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    /// Where in the schema each node comes from.
    places: Vec<String>,
    /// The targets of references: a schema may be needed in several modes.
    known: HashMap<(String, Mode), NodeId>,
    lenient: bool,
    foreign: bool,
    depth: usize,
}

impl Compiler<'_> {
    /// The node of a reference's target, compiled when it is first needed.
    fn reference_target(
        &mut self,
        reference: &str,
        place: &str,
        schema: &Value,
        mode: &Mode,
    ) -> Result<NodeId, SchemaError> {
        let key = (reference.to_owned(), mode.clone());
        if let Some(&node) = self.known.get(&key) {
            return Ok(node);
        }
        let node = self.reserve(place);
        self.known.insert(key, node);
        self.fill(node, schema, place, mode)?;
        Ok(node)
    }

    fn reserve(&mut self, place: &str) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.nodes.push(Node::always());
        self.places.push(place.to_owned());
        id
    }

    fn schema(&mut self, schema: &Value, place: &str, mode: &Mode) -> Result<NodeId, SchemaError> {
        let node = self.reserve(place);
        self.fill(node, schema, place, mode)?;
        Ok(node)
    }

    fn fill(&mut self, id: NodeId, schema: &Value, place: &str, mode: &Mode) -> Result<(), SchemaError> {
        if self.depth >= MAX_DEPTH {
            return Err(SchemaError::TooDeep { path: place.to_owned() });
        }
        self.depth += 1;
        let node = match schema {
            Value::Bool(admits) => {
                Node { never: !admits, types: if *admits { Types::ALL } else { Types::NONE }, ..Node::always() }
            }
            Value::Object(schema) => self.object_schema(schema, place, mode)?,
            _ => return Err(SchemaError::NotASchema { path: place.to_owned() }),
        };
        self.depth -= 1;
        self.nodes[id.0 as usize] = node;
        Ok(())
    }

    fn object_schema(&mut self, schema: &Map<String, Value>, place: &str, mode: &Mode) -> Result<Node, SchemaError> {
        let around = self.keys_around(schema, place, mode)?;
        let inside = mode.inside();
        let mut node = Node::always();
        let (mut number, mut string, mut array, mut object) =
            (NumberRules::default(), StringRules::default(), ArrayRules::default(), ObjectRules::default());
        for (keyword, value) in schema {
            let at = Place { keyword, path: format!("{place}/{}", escaped(keyword)) };
            match keyword.as_str() {
                "type" => node.types = at.types(value)?,
                "enum" => node.choices = Some(at.array(value)?.clone().into()),
                "const" => node.constant = Some(value.clone()),
                "description" => node.description = value.as_str().filter(|text| !text.is_empty()).map(Into::into),

                "minimum" => number.minimum = Some(at.number(value)?),
                "maximum" => number.maximum = Some(at.number(value)?),
                "exclusiveMinimum" => number.exclusive_minimum = Some(at.number(value)?),
                "exclusiveMaximum" => number.exclusive_maximum = Some(at.number(value)?),
                "multipleOf" => number.multiple_of = Some(at.step(value)?),

                "minLength" => string.min_length = Some(at.size(value)?),
                "maxLength" => string.max_length = Some(at.size(value)?),
                "pattern" => string.pattern = Some(at.pattern(at.text(value)?)?),
                "format" => string.format = Format::named(at.text(value)?),

                "prefixItems" => array.prefix = self.list(&at, value, |_| inside.clone())?,
                "items" => array.items = Some(self.schema(value, &at.path, &inside)?),
                "contains" => {
                    let min = schema
                        .get("minContains")
                        .map_or(Ok(1), |value| at.sibling("minContains", place).size(value))?;
                    let max = schema
                        .get("maxContains")
                        .map(|value| at.sibling("maxContains", place).size(value))
                        .transpose()?;
                    array.contains = Some(Contains { node: self.schema(value, &at.path, &Mode::Plain)?, min, max });
                }
                "minContains" | "maxContains" => drop(at.size(value)?),
                "minItems" => array.min_items = Some(at.size(value)?),
                "maxItems" => array.max_items = Some(at.size(value)?),
                "uniqueItems" => array.unique = at.boolean(value)?,

                "properties" => object.properties = self.properties(&at, value, &inside)?,
                "required" => object.required = at.names(value)?,
                "patternProperties" => {
                    let mut patterns = Vec::new();
                    for (text, schema) in at.object(value)? {
                        let path = format!("{}/{}", at.path, escaped(text));
                        let pattern = Place { keyword, path: path.clone() }.pattern(text)?;
                        patterns.push((pattern, self.schema(schema, &path, &inside)?));
                    }
                    object.patterns = patterns.into();
                }
                "additionalProperties" => object.additional = Some(self.schema(value, &at.path, &inside)?),
                "unevaluatedProperties" => object.unevaluated = Some(self.schema(value, &at.path, &inside)?),
                "propertyNames" => object.names = Some(self.schema(value, &at.path, &Mode::Plain)?),
                "minProperties" => object.min_properties = Some(at.size(value)?),
                "maxProperties" => object.max_properties = Some(at.size(value)?),
                "dependentRequired" => {
                    let entries = at
                        .object(value)?
                        .iter()
                        .map(|(name, others)| Ok(Dependent { name: name.as_str().into(), others: at.names(others)? }));
                    object.dependent = entries.collect::<Result<Vec<_>, SchemaError>>()?.into();
                }

                "$ref" => node.reference = self.reference(&at, value, around.beside_reference())?,
                "allOf" => node.all_of = self.list(&at, value, |index| around.beside_all_of(index))?,
                "anyOf" => node.any_of = self.list(&at, value, |_| around.beside_any_of())?,
                "oneOf" => node.one_of = self.list(&at, value, |_| around.beside_one_of())?,
                "not" => node.not = Some(self.schema(value, &at.path, &Mode::Plain)?),

                "$defs" | "definitions" => {
                    for (name, schema) in at.object(value)? {
                        let path = format!("{}/{}", at.path, escaped(name));
                        self.reference_target(&path, &path, schema, &inside)?;
                    }
                }
                // The identifier of the whole changes no reference that starts with `#`.
                "$id" if place == "#" && value.as_str().is_some_and(|id| !id.contains('#')) => {}
                keyword if REMARKS.contains(&keyword) || keyword.starts_with("x-") => {}
                _ if self.lenient => self.foreign = true,
                _ => return Err(SchemaError::UnsupportedKeyword { keyword: keyword.clone(), path: at.path }),
            }
        }
        object.closed = if keys::is_closable(schema) { around.admitted() } else { None };
        object.by_name = sorted_by_name(&object.properties);
        object.cheap_first = self.cheap_first(&object.properties);
        node.number =
            boxed(number, schema, &["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]);
        node.string = boxed(string, schema, &["minLength", "maxLength", "pattern", "format"]);
        node.array = boxed(array, schema, &["prefixItems", "items", "contains", "minItems", "maxItems", "uniqueItems"]);
        const OBJECT: &[&str] = &[
            "properties",
            "required",
            "patternProperties",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependentRequired",
        ];
        node.object = boxed(object, schema, OBJECT);
        Ok(node)
    }

    /// The nodes of a list of schemas, each in the mode that `mode` gives for its index.
    fn list(
        &mut self,
        at: &Place<'_>,
        value: &Value,
        mode: impl Fn(usize) -> Mode,
    ) -> Result<Box<[NodeId]>, SchemaError> {
        let schemas = at.array(value)?;
        if schemas.is_empty() {
            return Err(at.invalid("a list of at least one schema"));
        }
        schemas
            .iter()
            .enumerate()
            .map(|(index, schema)| self.schema(schema, &format!("{}/{index}", at.path), &mode(index)))
            .collect()
    }

    fn properties(&mut self, at: &Place<'_>, value: &Value, inside: &Mode) -> Result<Box<[Property]>, SchemaError> {
        let named = at.object(value)?.iter();
        named
            .map(|(name, schema)| {
                Ok(Property {
                    name: name.as_str().into(),
                    node: self.schema(schema, &format!("{}/{}", at.path, escaped(name)), inside)?,
                })
            })
            .collect()
    }

    fn reference(&mut self, at: &Place<'_>, value: &Value, mode: Mode) -> Result<Option<NodeId>, SchemaError> {
        let reference = at.text(value)?;
        match resolve(reference, self.root) {
            Some(target) => self.reference_target(reference, reference, target, &mode).map(Some),
            None if self.lenient => {
                self.foreign = true;
                Ok(None)
            }
            None => Err(SchemaError::DanglingReference { reference: reference.to_owned(), path: at.path.clone() }),
        }
    }

    /// Indices of the properties, those whose schema does not lead deeper first.
    fn cheap_first(&self, properties: &[Property]) -> Box<[u32]> {
        let is_deep = |property: &Property| {
            let node = &self.nodes[property.node.0 as usize];
            node.array.is_some() || node.object.is_some() || node.in_place().next().is_some()
        };
        let (deep, cheap): (Vec<u32>, Vec<u32>) = (0..)
            .zip(properties)
            .map(|(index, property)| (index, is_deep(property)))
            .fold((Vec::new(), Vec::new()), |(mut deep, mut cheap), (index, is_deep)| {
                if is_deep {
                    deep.push(index)
                } else {
                    cheap.push(index)
                }
                (deep, cheap)
            });
        cheap.into_iter().chain(deep).collect()
    }

    /// What each part of the schema knows of the keys of an object. Nothing is computed where nothing is closed.
    fn keys_around(&self, schema: &Map<String, Value>, place: &str, mode: &Mode) -> Result<Around, SchemaError> {
        let Mode::Closed(outer) = mode else { return Ok(Around::Plain) };
        let endless = || SchemaError::EndlessReference { path: place.to_owned() };
        let all = |schema: &Value| keys::all(schema, self.root).ok_or_else(endless);
        let each = |keyword: &str| {
            schema.get(keyword).and_then(Value::as_array).into_iter().flatten().map(&all).collect::<Result<Vec<_>, _>>()
        };
        let any = |keyword: &str| Ok::<_, SchemaError>(each(keyword)?.into_iter().fold(Keys::none(), Keys::union));
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| resolve(reference, self.root));
        Ok(Around::Closed {
            own: outer.clone().union(keys::own(schema)),
            reference: target.map_or(Ok(Keys::none()), all)?,
            all_of: each("allOf")?,
            any_of: any("anyOf")?,
            one_of: any("oneOf")?,
        })
    }

    /// Computes what each node admits, and refuses schemas that apply themselves to one value without end.
    fn settle_types(&mut self) -> Result<(), SchemaError> {
        let mut state = vec![Visit::New; self.nodes.len()];
        (0..self.nodes.len()).try_for_each(|index| self.settle(index, &mut state, 0))
    }

    fn settle(&mut self, index: usize, state: &mut [Visit], depth: usize) -> Result<(), SchemaError> {
        match state[index] {
            Visit::Done => return Ok(()),
            Visit::Open => return Err(SchemaError::EndlessReference { path: self.places[index].clone() }),
            Visit::New if depth > MAX_DEPTH => return Err(SchemaError::TooDeep { path: self.places[index].clone() }),
            Visit::New => state[index] = Visit::Open,
        }
        let below: Vec<NodeId> = self.nodes[index].in_place().collect();
        below.into_iter().try_for_each(|id| self.settle(id.0 as usize, state, depth + 1))?;
        state[index] = Visit::Done;

        let node = &self.nodes[index];
        let admits = |id: &NodeId| self.nodes[id.0 as usize].admits;
        let union = |ids: &[NodeId]| {
            if ids.is_empty() { Types::ALL } else { ids.iter().map(admits).fold(Types::NONE, Types::or) }
        };
        let mut types = node.types.and(union(&node.any_of)).and(union(&node.one_of));
        types = node.reference.iter().chain(node.all_of.iter()).map(admits).fold(types, Types::and);
        let values = node.choices.as_deref().map(|choices| choices.iter().map(Types::of).fold(Types::NONE, Types::or));
        types = values.into_iter().chain(node.constant.as_ref().map(Types::of)).fold(types, Types::and);
        self.nodes[index].admits = types;
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum Visit {
    New,
    Open,
    Done,
}

/// The keys that the parts of one schema know, so that each part can be told those of the others.
enum Around {
    Plain,
    Closed { own: Keys, reference: Keys, all_of: Vec<Keys>, any_of: Keys, one_of: Keys },
}

impl Around {
    /// The mode of one part: closed, except to what the parts named by `with` know.
    fn beside(&self, reference: bool, all_of_but: Option<usize>, any_of: bool, one_of: bool) -> Mode {
        let Around::Closed { own, reference: r, all_of, any_of: a, one_of: o } = self else { return Mode::Plain };
        let mut keys = own.clone();
        for (part, wanted) in [(r, reference), (a, any_of), (o, one_of)] {
            keys = if wanted { keys.union(part.clone()) } else { keys };
        }
        let others = all_of.iter().enumerate().filter(|(index, _)| Some(*index) != all_of_but);
        Mode::Closed(others.fold(keys, |keys, (_, part)| keys.union(part.clone())))
    }

    fn beside_reference(&self) -> Mode {
        self.beside(false, None, true, true)
    }

    fn beside_all_of(&self, index: usize) -> Mode {
        self.beside(true, Some(index), true, true)
    }

    fn beside_any_of(&self) -> Mode {
        self.beside(true, None, false, true)
    }

    fn beside_one_of(&self) -> Mode {
        self.beside(true, None, true, false)
    }

    /// Every key that any part knows, sorted; `None` if one of them is open.
    fn admitted(&self) -> Option<Box<[Box<str>]>> {
        match self.beside(true, None, true, true) {
            Mode::Closed(Keys::Listed(keys)) => Some(keys.into_iter().map(String::into_boxed_str).collect()),
            _ => None,
        }
    }
}

/// A keyword and where it is, for reading its value.
struct Place<'a> {
    keyword: &'a str,
    path: String,
}

impl<'a> Place<'a> {
    fn invalid(&self, expected: &'static str) -> SchemaError {
        SchemaError::InvalidKeyword { keyword: self.keyword.to_owned(), path: self.path.clone(), expected }
    }

    fn sibling(&self, keyword: &'a str, place: &str) -> Place<'a> {
        Place { keyword, path: format!("{place}/{keyword}") }
    }

    fn text<'v>(&self, value: &'v Value) -> Result<&'v str, SchemaError> {
        value.as_str().ok_or_else(|| self.invalid("a string"))
    }

    fn boolean(&self, value: &Value) -> Result<bool, SchemaError> {
        value.as_bool().ok_or_else(|| self.invalid("true or false"))
    }

    fn array<'v>(&self, value: &'v Value) -> Result<&'v Vec<Value>, SchemaError> {
        value.as_array().ok_or_else(|| self.invalid("an array"))
    }

    fn object<'v>(&self, value: &'v Value) -> Result<&'v Map<String, Value>, SchemaError> {
        value.as_object().ok_or_else(|| self.invalid("an object"))
    }

    fn number(&self, value: &Value) -> Result<Number, SchemaError> {
        value.as_number().cloned().ok_or_else(|| self.invalid("a number"))
    }

    fn step(&self, value: &Value) -> Result<Number, SchemaError> {
        let number = self.number(value)?;
        if number.as_f64().is_some_and(|step| step > 0.0) {
            Ok(number)
        } else {
            Err(self.invalid("a number above zero"))
        }
    }

    /// A size: a whole number from zero on, which may be written as a float.
    fn size(&self, value: &Value) -> Result<u64, SchemaError> {
        let float = || value.as_f64().filter(|size| *size >= 0.0 && size.fract() == 0.0).map(|size| size as u64);
        value.as_u64().or_else(float).ok_or_else(|| self.invalid("a whole number of at least 0"))
    }

    fn types(&self, value: &Value) -> Result<Types, SchemaError> {
        let named = |value: &Value| {
            value
                .as_str()
                .and_then(Types::named)
                .ok_or_else(|| self.invalid("the name of a JSON type, or a list of such names"))
        };
        match value {
            Value::Array(names) if !names.is_empty() => {
                names.iter().try_fold(Types::NONE, |types, name| Ok(types.or(named(name)?)))
            }
            _ => named(value),
        }
    }

    fn names(&self, value: &Value) -> Result<Box<[Box<str>]>, SchemaError> {
        self.array(value)?
            .iter()
            .map(|name| name.as_str().map(Into::into).ok_or_else(|| self.invalid("a list of property names")))
            .collect()
    }

    fn pattern(&self, text: &str) -> Result<Pattern, SchemaError> {
        pattern::compile(text).map_err(|message| SchemaError::Pattern { path: self.path.clone(), message })
    }
}

/// The rules, boxed, if the schema has one of their keywords.
fn boxed<T>(rules: T, schema: &Map<String, Value>, keywords: &[&str]) -> Option<Box<T>> {
    keywords.iter().any(|keyword| schema.contains_key(*keyword)).then(|| Box::new(rules))
}

fn sorted_by_name(properties: &[Property]) -> Box<[u32]> {
    let mut order: Vec<u32> = (0..).zip(properties).map(|(index, _)| index).collect();
    order.sort_by_key(|&index| &properties[index as usize].name);
    order.into()
}
