//! Making a spec.

use std::any::TypeId;
use std::sync::Arc;

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use super::{RESERVED_NAMES, SpecError, StateRequirement, ToolAnnotations, ToolSpec, is_legal_name, shadow};
use crate::schema::{Validator, emitted, natural, normalise};
use crate::state::AgentState;
use crate::tool::ToolArgs;
use crate::tool::input::RESERVED_ARGUMENT;
use crate::tool::param::Param;

/// Makes a [`ToolSpec`]. Whatever is wrong is kept and reported with all other faults when a toolkit is built.
#[derive(Debug)]
#[must_use]
pub struct SpecBuilder {
    name: String,
    description: String,
    input: Input,
    output: Option<Output>,
    is_read_only: bool,
    is_concurrency_safe: bool,
    is_external_tool: bool,
    is_state_injected: bool,
    fills_defaults: bool,
    of_toolkit: bool,
    mcp: Option<String>,
    annotations: ToolAnnotations,
    states: Vec<StateRequirement>,
}

/// Where the input schema comes from.
#[derive(Debug)]
enum Input {
    Params(Vec<Param>),
    /// The schema of a type, in natural form: keys that it does not know are refused.
    Typed(Value),
    /// A schema given as it is: it decides for itself about other keys.
    Literal(Value),
}

/// Where the output schema comes from.
#[derive(Debug)]
enum Output {
    /// A type that this process writes, or that whoever executes an external tool writes for us to read.
    Type {
        written: fn() -> Value,
        read: fn() -> Value,
    },
    Literal(Value),
}

impl SpecBuilder {
    pub(super) fn new(name: String, description: String) -> Self {
        Self {
            name,
            description,
            input: Input::Params(Vec::new()),
            output: None,
            is_read_only: false,
            is_concurrency_safe: true,
            is_external_tool: false,
            is_state_injected: false,
            fills_defaults: false,
            of_toolkit: false,
            mcp: None,
            annotations: ToolAnnotations::default(),
            states: Vec::new(),
        }
    }

    /// Gives the input schema as it is. Calls are checked against it; whether it admits keys that it does not list is
    /// for it to say (`additionalProperties`).
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input = Input::Literal(schema);
        self
    }

    /// Takes the input schema from a type.
    pub fn arguments<T: ToolArgs>(mut self) -> Self {
        self.input = Input::Typed(natural::<T>());
        self
    }

    /// Adds a parameter to the input schema.
    pub fn param(mut self, param: Param) -> Self {
        match &mut self.input {
            Input::Params(params) => params.push(param),
            _ => self.input = Input::Params(vec![param]),
        }
        self
    }

    /// Says that the tool takes no arguments.
    pub fn no_params(mut self) -> Self {
        self.input = Input::Params(Vec::new());
        self
    }

    /// Takes the schema of the result from a type.
    pub fn output<T: JsonSchema>(mut self) -> Self {
        self.output = Some(Output::Type { written: emitted::<T>, read: natural::<T> });
        self
    }

    /// Gives the schema of the result as it is.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output = Some(Output::Literal(schema));
        self
    }

    /// Whether every call only reads. Default: no.
    pub fn read_only(mut self, yes: bool) -> Self {
        self.is_read_only = yes;
        self
    }

    /// Whether calls may run beside others. Default: yes.
    pub fn concurrency_safe(mut self, yes: bool) -> Self {
        self.is_concurrency_safe = yes;
        self
    }

    /// Whether calls are executed outside of this process. Default: no.
    pub fn external(mut self, yes: bool) -> Self {
        self.is_external_tool = yes;
        self
    }

    /// Whether the tool uses the agent's state. Default: no.
    pub fn state_injected(mut self, yes: bool) -> Self {
        self.is_state_injected = yes;
        self
    }

    /// Whether arguments that a call leaves out are filled in with the schema's defaults before anything looks at them, so
    /// that what is decided about is what runs. Default: no.
    pub fn fill_defaults(mut self, yes: bool) -> Self {
        self.fills_defaults = yes;
        self
    }

    /// The toolkit's own tools have names that no other may have.
    pub(crate) fn of_toolkit(mut self) -> Self {
        self.of_toolkit = true;
        self
    }

    /// Requires a state of type `T`; [`AgentState`] is always there and sets [`state_injected`](Self::state_injected).
    pub fn state<T: ?Sized + Send + Sync + 'static>(mut self) -> Self {
        let requirement = StateRequirement::of::<T>();
        if TypeId::of::<T>() == TypeId::of::<AgentState>() {
            self.is_state_injected = true;
        } else if !self.states.contains(&requirement) {
            self.states.push(requirement);
        }
        self
    }

    /// Names the MCP server that the tool comes from.
    pub fn mcp(mut self, server: impl Into<String>) -> Self {
        self.mcp = Some(server.into());
        self
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.annotations.title = Some(title.into());
        self
    }

    /// Hints whether the tool may destroy something.
    pub fn destructive(mut self, yes: bool) -> Self {
        self.annotations.destructive = Some(yes);
        self
    }

    /// Hints whether calling it again with the same arguments changes nothing more.
    pub fn idempotent(mut self, yes: bool) -> Self {
        self.annotations.idempotent = Some(yes);
        self
    }

    /// Hints whether the tool deals with an open world, such as the web.
    pub fn open_world(mut self, yes: bool) -> Self {
        self.annotations.open_world = Some(yes);
        self
    }

    pub(crate) fn rename(mut self, name: String) -> Self {
        self.name = name;
        self
    }

    pub(crate) fn redescribe(mut self, description: String) -> Self {
        self.description = description;
        self
    }

    /// The spec.
    #[must_use]
    pub fn build(self) -> ToolSpec {
        let mut faults = Vec::new();
        check_name(&self.name, self.of_toolkit, &mut faults);
        if self.description.trim().is_empty() {
            faults.push(SpecError::NoDescription);
        }
        let (mut schema, closed) = match self.input {
            Input::Params(params) => (params_schema(params, &mut faults), true),
            Input::Typed(mut schema) => {
                // The doc comment of the arguments' struct is for people; the model has the tool's description.
                if let Value::Object(root) = &mut schema {
                    // Not `remove`, which would put the last key in its place.
                    root.shift_remove("description");
                }
                (schema, true)
            }
            Input::Literal(schema) => (schema, false),
        };
        check_object(&mut schema, closed, &mut faults);
        let validator = if closed { Validator::closed(&schema) } else { Validator::new(&schema) };
        let validator = validator.unwrap_or_else(|error| {
            faults.push(SpecError::InputSchema(error));
            Validator::any()
        });
        if closed {
            faults.extend(shadow::find(&schema).map(|problem| SpecError::ShadowedVariant { problem }));
        }
        check_values(&schema, closed, &mut faults);
        let output_schema = self.output.map(|output| match output {
            Output::Type { read, .. } if self.is_external_tool => read(),
            Output::Type { written, .. } => written(),
            Output::Literal(schema) => schema,
        });
        let output_validator = output_schema.as_ref().and_then(|schema| {
            Validator::new(schema).map_err(|error| faults.push(SpecError::OutputSchema(error))).ok()
        });
        ToolSpec {
            name: self.name.into(),
            description: self.description.into(),
            input_schema: Arc::new(schema),
            output_schema: output_schema.map(Arc::new),
            validator: Arc::new(validator),
            output_validator: output_validator.map(Arc::new),
            is_read_only: self.is_read_only,
            is_concurrency_safe: self.is_concurrency_safe,
            is_external_tool: self.is_external_tool,
            is_state_injected: self.is_state_injected,
            fills_defaults: self.fills_defaults,
            mcp: self.mcp.map(Into::into),
            annotations: self.annotations,
            states: self.states.into(),
            faults: faults.into(),
        }
    }
}

fn check_name(name: &str, of_toolkit: bool, faults: &mut Vec<SpecError>) {
    if !is_legal_name(name) {
        faults.push(SpecError::IllegalName { name: name.to_owned() });
    } else if RESERVED_NAMES.contains(&name) && !of_toolkit {
        faults.push(SpecError::ReservedName { name: name.to_owned() });
    }
}

fn params_schema(params: Vec<Param>, faults: &mut Vec<SpecError>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let mut definitions = Map::new();
    for param in params {
        let name = param.name();
        if param.is_required() {
            required.push(Value::from(name));
        }
        let schema = param.into_schema(&mut definitions, faults);
        if properties.insert(name.to_owned(), schema).is_some() {
            faults.push(SpecError::Argument {
                argument: name.to_owned(),
                problem: "there are two arguments of this name".into(),
            });
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "required": required });
    if !definitions.is_empty() {
        schema["$defs"] = Value::Object(definitions);
    }
    // The optional parameters lose their `null` here, as the optional fields of a struct do.
    normalise(schema)
}

/// Makes sure that the schema is one of an object, and that `properties` and `required` are there. A choice at the root,
/// which OpenAI, Anthropic and Bedrock refuse, is left to those who write the schema by hand.
fn check_object(schema: &mut Value, typed: bool, faults: &mut Vec<SpecError>) {
    let is_choice =
        |object: &Map<String, Value>| ["oneOf", "anyOf"].iter().any(|keyword| object.contains_key(*keyword));
    let found = match schema {
        Value::Object(object) if typed && is_choice(object) => return faults.push(SpecError::RootChoice),
        Value::Object(object) => match object.get("type") {
            Some(Value::String(kind)) if kind == "object" => {
                object.entry("properties").or_insert_with(|| json!({}));
                object.entry("required").or_insert_with(|| json!([]));
                return;
            }
            Some(Value::String(kind)) => format!("the type `{kind}`"),
            Some(other) => format!("the type {other}"),
            None if object.contains_key("anyOf") || object.contains_key("oneOf") => {
                "a choice of types (an enum)".into()
            }
            None => "no type".into(),
        },
        other => format!("`{other}`"),
    };
    faults.push(SpecError::NotAnObject { found });
}

/// Checks each argument's default and examples against the argument's own schema.
fn check_values(schema: &Value, closed: bool, faults: &mut Vec<SpecError>) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
    for (name, property) in properties {
        if name == RESERVED_ARGUMENT {
            let problem = "the name is reserved for the agent's state, which is injected; choose another one".into();
            faults.push(SpecError::Argument { argument: name.clone(), problem });
        }
        // In a schema that is given as it is, a default is a remark, and nothing follows from it.
        if !closed {
            continue;
        }
        let examples = property.get("examples").and_then(Value::as_array).into_iter().flatten();
        let values = property.get("default").map(|value| ("default", value));
        for (kind, value) in values.into_iter().chain(examples.map(|value| ("example", value))) {
            // The argument's schema by itself may refer to the definitions of the whole.
            let mut alone = property.clone();
            if let (Value::Object(alone), Some(definitions)) = (&mut alone, schema.get("$defs")) {
                alone.insert("$defs".into(), definitions.clone());
            }
            // A schema that does not compile has been reported as a whole.
            if let Ok(Err(problems)) = Validator::closed(&alone).map(|validator| validator.validate(value)) {
                let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
                faults.push(SpecError::Argument {
                    argument: name.clone(),
                    problem: format!("the {kind} {value} does not fit the schema: {}", problems.join("; ")),
                });
            }
        }
    }
}
