//! A small validator for the JSON Schema keywords that tool schemas use, compiled once per tool.
//!
//! Draft 2020-12: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `patternProperties`,
//! `unevaluatedProperties`, `propertyNames`, `dependentRequired`, `minProperties`, `maxProperties`, `items`,
//! `prefixItems`, `contains` with its bounds, `minItems`, `maxItems`, `uniqueItems`, `minLength`, `maxLength`, `pattern`,
//! `format` (`date`, `date-time`, `time`, `email`, `uri`, `uuid`, `ipv4`, `ipv6`; others are remarks), `minimum`,
//! `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`, `anyOf`, `oneOf`, `allOf`, `not`, `$ref` into the same
//! schema, and boolean schemas. Any other keyword is refused by name, unless the cargo feature `jsonschema` is on.

mod alternatives;
mod check;
mod compile;
mod describe;
mod error;
mod explain;
mod fault;
#[cfg(feature = "jsonschema")]
mod foreign;
mod format;
mod keys;
mod node;
pub(crate) mod number;
mod pattern;

use serde_json::Value;

use check::Checker;
use compile::{Compiled, Mode, compile};
pub use error::SchemaError;
pub use fault::Fault;
pub(crate) use fault::{did_you_mean, shown};
pub(crate) use format::Format;
use node::Node;
pub(crate) use node::{NodeId, Types};

/// A schema, compiled: it judges values and explains what is wrong with them.
///
/// A valid value is judged without allocating, except for `propertyNames`, `uniqueItems` on more than 32 items, and
/// recursive alternatives that would otherwise be tried over and over.
#[derive(Debug)]
pub struct Validator {
    nodes: Box<[Node]>,
    root: NodeId,
    /// Judges in our place when the schema has keywords that only this crate knows.
    #[cfg(feature = "jsonschema")]
    foreign: Option<foreign::Foreign>,
}

impl Validator {
    /// Compiles a schema with the meaning that JSON Schema 2020-12 gives it.
    ///
    /// # Errors
    /// If the schema uses a keyword that is not checked here, or uses one wrongly. With the cargo feature `jsonschema`, the crate
    /// of that name judges schemas with other keywords.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        Self::compiled(schema, compile(schema, Mode::Plain, cfg!(feature = "jsonschema"))?)
    }

    /// Compiles the schema of a typed tool, which loses keys that its type does not know: an object schema that lists
    /// `properties`, and says nothing of others, admits no others, at every depth. Where several schemas apply to one
    /// object, as with a flattened or tagged enum, each admits the keys of the others, but an alternative not those of
    /// the alternatives beside it.
    ///
    /// # Errors
    /// As for [`Validator::new`], except that other keywords are always refused.
    pub fn closed(schema: &Value) -> Result<Self, SchemaError> {
        Self::compiled(schema, compile(schema, Mode::Closed(keys::Keys::none()), false)?)
    }

    /// The validator that admits everything.
    pub fn any() -> Self {
        Validator {
            nodes: Box::new([Node::always()]),
            root: NodeId(0),
            #[cfg(feature = "jsonschema")]
            foreign: None,
        }
    }

    #[cfg(feature = "jsonschema")]
    fn compiled(schema: &Value, compiled: Compiled) -> Result<Self, SchemaError> {
        let foreign = compiled.foreign.then(|| foreign::Foreign::new(schema)).transpose()?;
        Ok(Validator { nodes: compiled.nodes, root: compiled.root, foreign })
    }

    #[cfg(not(feature = "jsonschema"))]
    fn compiled(_: &Value, compiled: Compiled) -> Result<Self, SchemaError> {
        debug_assert!(!compiled.foreign, "unknown keywords are refused without the feature");
        Ok(Validator { nodes: compiled.nodes, root: compiled.root })
    }

    /// Whether `value` is valid.
    pub fn is_valid(&self, value: &Value) -> bool {
        #[cfg(feature = "jsonschema")]
        if let Some(foreign) = &self.foreign {
            return foreign.is_valid(value);
        }
        self.fits(self.root, value)
    }

    /// Checks `value`.
    ///
    /// # Errors
    /// Every fault that it has, at least one.
    pub fn validate(&self, value: &Value) -> Result<(), Vec<Fault>> {
        if self.is_valid(value) {
            return Ok(());
        }
        #[cfg(feature = "jsonschema")]
        if let Some(foreign) = &self.foreign {
            return Err(foreign.faults(value));
        }
        Err(explain::faults(&self.nodes, self.root, value))
    }

    pub(crate) fn root(&self) -> NodeId {
        self.root
    }

    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Of alternatives, none of which fits, the one that `value` is most likely meant for.
    pub(crate) fn meant(&self, branches: &[NodeId], value: &Value) -> Option<NodeId> {
        alternatives::meant(&self.nodes, branches, value)
    }

    /// Whether `value` is valid under one schema of the whole.
    pub(crate) fn fits(&self, id: NodeId, value: &Value) -> bool {
        Checker::new(&self.nodes).is_valid(id, value)
    }
}

#[cfg(test)]
mod tests;
