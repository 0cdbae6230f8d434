//! The arguments of one call.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ToolArgs;
use super::spec::ToolSpec;
use crate::args::{self, ArgumentError, CutOff};
use crate::error::ToolError;
use crate::schema::member;

/// The arguments of one call, checked against the tool's input schema: a cheap handle on a JSON object.
///
/// An input cannot be changed. Whoever wants other arguments makes a new input, which is checked again:
///
/// ```
/// use agentscope_tool::{ToolInput, ToolSpec};
/// use serde_json::json;
///
/// let spec = ToolSpec::builder("greet", "Greet somebody.")
///     .input_schema(json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }))
///     .build();
///
/// let input = ToolInput::parse(r#"{"name": "Ada",}"#, &spec)?;      // the trailing comma is repaired
/// assert_eq!(input.str("name")?, "Ada");
/// assert_eq!(input.to_string(), r#"{"name":"Ada"}"#);
///
/// let error = ToolInput::parse(r#"{"name": 7, "nam": "x"}"#, &spec);
/// assert!(ToolInput::parse(r#"{}"#, &spec).is_err());
/// # Ok::<(), agentscope_tool::ToolError>(())
/// ```
#[derive(Clone)]
pub struct ToolInput(Arc<Inner>);

/// Which input it is, without keeping its arguments from being taken.
#[derive(Clone)]
pub(crate) struct InputIdentity(Weak<Inner>);

impl InputIdentity {
    /// Whether it is this input. An address is not used again while somebody remembers it.
    pub(crate) fn is(&self, input: &ToolInput) -> bool {
        std::ptr::eq(self.0.as_ptr(), Arc::as_ptr(&input.0))
    }
}

/// The argument under which Python AgentScope passes the state. No model may give it.
pub(super) const RESERVED_ARGUMENT: &str = "_agent_state";

struct Inner {
    arguments: Map<String, Value>,
    /// The typed arguments as the hooks have decoded them, kept for the body.
    decoded: OnceLock<Arc<dyn Any + Send + Sync>>,
}

impl ToolInput {
    /// Parses the text that a model gave as the arguments of a call, repairs what models are known to get wrong, and
    /// checks the result.
    ///
    /// # Errors
    /// When the text is no JSON object even after repair, was cut off (tools that only read excepted), or does not fit
    /// the input schema; the error says all of it.
    pub fn parse(text: &str, spec: &ToolSpec) -> Result<Self, ToolError> {
        Self::usable(spec)?;
        let cut_off = if spec.is_read_only() { CutOff::Complete } else { CutOff::Refuse };
        let parsed = args::parse(text, spec.validator(), cut_off)?;
        if !parsed.repairs.is_empty() {
            tracing::debug!(tool = spec.name(), repairs = ?parsed.repairs, "repaired the arguments of a tool call");
        }
        Self::from_checked(parsed.arguments, spec)
    }

    /// Checks arguments that are JSON already.
    ///
    /// # Errors
    /// When the value is no object or does not fit the input schema.
    pub fn from_value(value: Value, spec: &ToolSpec) -> Result<Self, ToolError> {
        Self::usable(spec)?;
        Self::from_checked(args::check(value, spec.validator())?, spec)
    }

    pub(crate) fn identity(&self) -> InputIdentity {
        InputIdentity(Arc::downgrade(&self.0))
    }

    /// The same arguments, checked for this tool.
    pub(crate) fn checked_for(&self, spec: &ToolSpec) -> Result<Self, ToolError> {
        Self::from_value(Value::Object(self.0.arguments.clone()), spec)
    }

    fn usable(spec: &ToolSpec) -> Result<(), ToolError> {
        match spec.faults().first() {
            None => Ok(()),
            Some(fault) => Err(ToolError::developer(format!("tool `{}` cannot be called: {fault}", spec.name()))),
        }
    }

    fn from_checked(mut arguments: Map<String, Value>, spec: &ToolSpec) -> Result<Self, ToolError> {
        if spec.fills_defaults() {
            for (name, default) in spec.defaults() {
                if !arguments.contains_key(name) {
                    arguments.insert(name.clone(), default.clone());
                }
            }
        }
        let input = Self(Arc::new(Inner { arguments, decoded: OnceLock::new() }));
        // A schema that admits other keys would let a model pass its own idea of the state off as the real one.
        if input.get(RESERVED_ARGUMENT).is_some() {
            return Err(ArgumentError::Reserved { argument: RESERVED_ARGUMENT }.into());
        }
        Ok(input)
    }

    /// All arguments.
    #[must_use]
    pub fn arguments(&self) -> &Map<String, Value> {
        &self.0.arguments
    }

    /// One argument, if it was given.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        member(&self.0.arguments, name)
    }

    /// One argument that is text.
    ///
    /// # Errors
    /// When it was not given or is not text.
    pub fn str(&self, name: &str) -> Result<&str, ToolError> {
        match self.get(name) {
            Some(Value::String(text)) => Ok(text),
            _ => Err(self.arg::<String>(name).err().unwrap_or(ToolError::Interrupted)),
        }
    }

    /// One argument, decoded. An argument that was not given decodes as `None` where `T` is an `Option`.
    ///
    /// # Errors
    /// When it is missing or cannot be decoded.
    pub fn arg<T: DeserializeOwned>(&self, name: &str) -> Result<T, ToolError> {
        let Some(value) = self.get(name) else { return Ok(args::decode_missing(name)?) };
        Ok(args::decode_argument(name, value)?)
    }

    /// One argument, decoded, or a default when it was not given.
    ///
    /// # Errors
    /// When it was given and cannot be decoded.
    pub fn arg_or<T: DeserializeOwned>(&self, name: &str, default: impl FnOnce() -> T) -> Result<T, ToolError> {
        if self.get(name).is_some() { self.arg(name) } else { Ok(default()) }
    }

    /// All arguments, decoded.
    ///
    /// # Errors
    /// When they cannot be decoded.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ArgumentError> {
        args::decode(&self.0.arguments)
    }

    /// The typed arguments, decoded once for all hooks and the body.
    pub(crate) fn shared_args<A: ToolArgs>(&self) -> Result<Arc<A>, ArgumentError> {
        if let Some(decoded) = self.0.decoded.get()
            && let Ok(args) = Arc::clone(decoded).downcast::<A>()
        {
            return Ok(args);
        }
        let args = Arc::new(self.decode::<A>()?);
        // Another type may stand there already if a tool is wrapped in one with other arguments; then nothing is kept.
        let _ = self.0.decoded.set(Arc::clone(&args) as Arc<dyn Any + Send + Sync>);
        Ok(args)
    }

    /// The typed arguments for the body: what the hooks have decoded, if nobody else holds it, else decoded anew.
    pub(crate) fn into_args<A: ToolArgs>(self) -> Result<A, ArgumentError> {
        match Arc::try_unwrap(self.0) {
            Ok(mut inner) => {
                let shared = inner.decoded.take().and_then(|decoded| decoded.downcast::<A>().ok());
                match shared.and_then(Arc::into_inner) {
                    Some(args) => Ok(args),
                    None => args::decode(&inner.arguments),
                }
            }
            Err(shared) => args::decode(&shared.arguments),
        }
    }
}

impl fmt::Display for ToolInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match serde_json::to_string(&self.0.arguments) {
            Ok(text) => f.write_str(&text),
            Err(_) => Err(fmt::Error),
        }
    }
}

impl fmt::Debug for ToolInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolInput({self})")
    }
}
