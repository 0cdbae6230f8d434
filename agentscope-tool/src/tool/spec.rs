//! What a tool says of itself.

mod builder;
mod cell;
mod name;
mod shadow;

use std::any::{TypeId, type_name};
use std::sync::Arc;

use serde_json::Value;

use crate::schema::{SchemaError, Validator};
use crate::state::Extensions;

pub use builder::SpecBuilder;
pub use cell::SpecCell;
pub(crate) use name::RESERVED as RESERVED_NAMES;
pub(crate) use name::is_legal as is_legal_name;

/// What a tool says of itself: to the model (name, description, input schema) and to the program around it (flags).
///
/// A spec is made once and then handed out by reference; reading it allocates nothing. Faults in it (a bad name, a
/// schema that is no object, a default that does not fit) are kept, and reported when the tool is put into a toolkit.
///
/// ```
/// use agentscope_tool::ToolSpec;
/// use serde_json::json;
///
/// let spec = ToolSpec::builder("ping", "Answer at once.")
///     .input_schema(json!({ "type": "object", "properties": {} }))
///     .read_only(true)
///     .build();
/// assert_eq!(spec.name(), "ping");
/// assert!(spec.is_read_only() && spec.is_concurrency_safe());
/// assert!(spec.faults().is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct ToolSpec {
    name: Arc<str>,
    description: Arc<str>,
    input_schema: Arc<Value>,
    output_schema: Option<Arc<Value>>,
    validator: Arc<Validator>,
    output_validator: Option<Arc<Validator>>,
    is_read_only: bool,
    is_concurrency_safe: bool,
    is_external_tool: bool,
    is_state_injected: bool,
    fills_defaults: bool,
    mcp: Option<Arc<str>>,
    annotations: ToolAnnotations,
    states: Arc<[StateRequirement]>,
    faults: Arc<[SpecError]>,
}

impl ToolSpec {
    /// Begins a spec. The name has to match `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, which every provider accepts.
    pub fn builder(name: impl Into<String>, description: impl Into<String>) -> SpecBuilder {
        SpecBuilder::new(name.into(), description.into())
    }

    /// The name by which the model calls the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the model is told of the tool.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The JSON Schema of the arguments: an object, with `properties` and `required`. It is what the model is shown
    /// and what calls are checked against.
    #[must_use]
    pub fn input_schema(&self) -> &Value {
        &self.input_schema
    }

    /// The JSON Schema of the result, if the tool promises one.
    #[must_use]
    pub fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_deref()
    }

    /// Whether every call only reads. A tool for which that depends on the call answers in
    /// [`Tool::check_read_only`](crate::Tool::check_read_only).
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Whether calls may run beside others. Default: yes.
    #[must_use]
    pub fn is_concurrency_safe(&self) -> bool {
        self.is_concurrency_safe
    }

    /// Whether calls are executed outside of this process, by a person or another system.
    #[must_use]
    pub fn is_external_tool(&self) -> bool {
        self.is_external_tool
    }

    /// Whether the tool uses the agent's state.
    #[must_use]
    pub fn is_state_injected(&self) -> bool {
        self.is_state_injected
    }

    /// Whether arguments that a call leaves out are filled in with the schema's defaults. A function or method with
    /// `permission` does so.
    #[must_use]
    pub fn fills_defaults(&self) -> bool {
        self.fills_defaults
    }

    /// The arguments that a call may leave out and what they are then, as the schema says.
    pub(super) fn defaults(&self) -> impl Iterator<Item = (&String, &Value)> {
        let properties = self.input_schema.get("properties").and_then(Value::as_object);
        properties.into_iter().flatten().filter_map(|(name, schema)| Some((name, schema.get("default")?)))
    }

    /// The name of the MCP server that the tool comes from, if it comes from one.
    #[must_use]
    pub fn mcp(&self) -> Option<&str> {
        self.mcp.as_deref()
    }

    /// Hints for people and programs that show or choose tools.
    #[must_use]
    pub fn annotations(&self) -> &ToolAnnotations {
        &self.annotations
    }

    /// The states of the application that the tool gets injected.
    #[must_use]
    pub fn states(&self) -> &[StateRequirement] {
        &self.states
    }

    /// What is wrong with the spec. A tool whose spec has faults is refused by a toolkit and cannot be called.
    #[must_use]
    pub fn faults(&self) -> &[SpecError] {
        &self.faults
    }

    /// What checks the arguments of a call.
    #[must_use]
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// What checks a result that was made outside, if the tool promises a schema of it.
    #[must_use]
    pub fn output_validator(&self) -> Option<&Validator> {
        self.output_validator.as_deref()
    }

    /// The same spec with another description.
    pub(crate) fn with_description(&self, description: &str) -> Self {
        let faults = self.faults.iter().filter(|fault| **fault != SpecError::NoDescription).cloned();
        let empty = description.trim().is_empty().then_some(SpecError::NoDescription);
        Self { description: description.into(), faults: faults.chain(empty).collect(), ..self.clone() }
    }
}

/// Hints about a tool, as MCP defines them. They inform; permissions never rest on them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// A name for people.
    pub title: Option<String>,
    /// Whether the tool may destroy something.
    pub destructive: Option<bool>,
    /// Whether calling it again with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// Whether it deals with an open world, such as the web.
    pub open_world: Option<bool>,
}

/// A state of the application that a tool needs.
#[derive(Clone, Copy, Debug)]
pub struct StateRequirement {
    type_id: TypeId,
    type_name: fn() -> &'static str,
    is_in: fn(&Extensions) -> bool,
}

impl StateRequirement {
    /// The requirement of a state of type `T`.
    #[must_use]
    pub fn of<T: ?Sized + Send + Sync + 'static>() -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            type_name: type_name::<T>,
            is_in: |extensions| extensions.get::<T>().is_some(),
        }
    }

    /// The name of the type.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        (self.type_name)()
    }

    /// Whether `extensions` has such a state.
    #[must_use]
    pub fn is_met_by(&self, extensions: &Extensions) -> bool {
        (self.is_in)(extensions)
    }
}

impl PartialEq for StateRequirement {
    fn eq(&self, other: &Self) -> bool {
        self.type_id == other.type_id
    }
}

impl Eq for StateRequirement {}

/// A fault in a spec, for the developer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The name is one that providers refuse.
    #[error("`{name}` is no legal tool name: it has to match `^[a-zA-Z_][a-zA-Z0-9_-]{{0,63}}$`")]
    IllegalName {
        /// The name.
        name: String,
    },
    /// The name belongs to a tool that toolkits provide themselves.
    #[error("the name `{name}` is reserved for a tool that toolkits provide; choose another one")]
    ReservedName {
        /// The name.
        name: String,
    },
    /// The description is empty.
    #[error("the description is empty; say what the tool does, since the model has nothing else to go by")]
    NoDescription,
    /// The input schema is not one of an object.
    #[error(
        "the input schema is that of {found}, but arguments are always an object; wrap the type in a struct with one field"
    )]
    NotAnObject {
        /// What the schema describes instead.
        found: String,
    },
    /// The input schema is a choice at its root.
    #[error(
        "the input schema is a choice of types at its root, which model providers refuse; make the enum a field of the \
         arguments instead of flattening it into them or using it for them"
    )]
    RootChoice,
    /// A variant of an untagged enum would take the calls of another.
    #[error("{problem}")]
    ShadowedVariant {
        /// Which variants, and what to do about it.
        problem: String,
    },
    /// The input schema cannot be used.
    #[error("the input schema cannot be used: {0}")]
    InputSchema(SchemaError),
    /// The output schema cannot be used.
    #[error("the output schema cannot be used: {0}")]
    OutputSchema(SchemaError),
    /// A default, an example or a constraint of one argument is wrong.
    #[error("argument `{argument}`: {problem}")]
    Argument {
        /// The argument's name.
        argument: String,
        /// What is wrong, and what to write instead.
        problem: String,
    },
}
