//! One parameter of a function, described.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::spec::SpecError;
use crate::args::is_optional;
use crate::schema::{Format, described, normalise};

/// A type that can be decoded from what a model sends and described to it. It stands for serde's and schemars' traits, so
/// that a type which lacks them is reported once, with what to do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a tool's argument",
    label = "cannot be decoded or described",
    note = "put `#[tool_args]` on the type, or derive `serde::Deserialize` and `schemars::JsonSchema`"
)]
pub trait Argument: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> Argument for T {}

/// One parameter of a tool: its name, the schema of its type, and what `#[arg(…)]` adds.
#[derive(Debug)]
#[must_use]
pub struct Param {
    name: &'static str,
    schema: Value,
    optional: bool,
    description: Option<String>,
    constraints: Vec<Constraint>,
    examples: Vec<Value>,
    default: Option<Value>,
    problems: Vec<String>,
}

#[derive(Debug)]
enum Constraint {
    Minimum(Value),
    Maximum(Value),
    MinLength(u64),
    MaxLength(u64),
    Pattern(String),
    Format(String),
}

impl Param {
    /// A parameter of type `T`. It is optional if `T` decodes from nothing, as `Option` does.
    pub fn new<T: Argument + Send>(name: &'static str) -> Self {
        Self {
            name,
            schema: described::<T>(),
            optional: is_optional::<T>(),
            description: None,
            constraints: Vec::new(),
            examples: Vec::new(),
            default: None,
            problems: Vec::new(),
        }
    }

    /// What the model is told of the parameter.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// The smallest number that is accepted.
    pub fn minimum(mut self, minimum: impl Serialize) -> Self {
        let minimum = self.value("minimum", &minimum);
        self.constraints.extend(minimum.map(Constraint::Minimum));
        self
    }

    /// The largest number that is accepted.
    pub fn maximum(mut self, maximum: impl Serialize) -> Self {
        let maximum = self.value("maximum", &maximum);
        self.constraints.extend(maximum.map(Constraint::Maximum));
        self
    }

    /// The smallest length that is accepted: characters of a text, items of an array, entries of a map.
    pub fn min_length(mut self, length: u64) -> Self {
        self.constraints.push(Constraint::MinLength(length));
        self
    }

    /// The largest length that is accepted: characters of a text, items of an array, entries of a map.
    pub fn max_length(mut self, length: u64) -> Self {
        self.constraints.push(Constraint::MaxLength(length));
        self
    }

    /// A regular expression that a text has to match somewhere; anchor it with `^` and `$` for the whole.
    pub fn pattern(mut self, pattern: &str) -> Self {
        self.constraints.push(Constraint::Pattern(pattern.to_owned()));
        self
    }

    /// The format of a text, one of those that are checked: `date`, `date-time`, `time`, `email`, `uri`, `uuid`,
    /// `ipv4`, `ipv6`.
    pub fn format(mut self, format: &str) -> Self {
        self.constraints.push(Constraint::Format(format.to_owned()));
        self
    }

    /// A value as an example for the model.
    pub fn example(mut self, example: impl Serialize) -> Self {
        let example = self.value("example", &example);
        self.examples.extend(example);
        self
    }

    /// The value that the parameter has when it is left out.
    pub fn default(mut self, default: impl Serialize) -> Self {
        self.default = self.value("default", &default);
        if self.default.as_ref().is_some_and(Value::is_null) && !self.optional {
            self.problems.push(
                "the default is written as `null`, which the type does not take (a float that is no number?)".into(),
            );
        }
        self.optional = true;
        self
    }

    pub(super) fn name(&self) -> &'static str {
        self.name
    }

    pub(super) fn is_required(&self) -> bool {
        !self.optional
    }

    /// The parameter's schema. The definitions that it refers to are moved to those of the whole.
    pub(super) fn into_schema(mut self, definitions: &mut Map<String, Value>, faults: &mut Vec<SpecError>) -> Value {
        // `true`, the schema of a type that takes anything, has no room for a description.
        let mut raw = match std::mem::take(&mut self.schema) {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        // Before the natural form is made, since that appends what a documented enum says of its values.
        if let Some(description) = self.description.take() {
            raw.insert("description".into(), description.into());
        }
        let own = raw.remove("$defs").unwrap_or_else(|| json!({}));
        // As a property of an object of its own, since the root of a schema is treated differently.
        let mut alone = normalise(json!({
            "type": "object", "properties": { self.name: raw }, "required": [self.name], "$defs": own
        }));
        let mut schema = match alone["properties"][self.name].take() {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        if let Value::Object(own) = alone["$defs"].take() {
            for (name, definition) in own {
                let other = definitions.insert(name.clone(), definition.clone());
                if other.is_some_and(|other| other != definition) {
                    self.problems.push(format!(
                        "two different recursive types are called `{name}`; rename one with `#[schemars(rename = \"…\")]`"
                    ));
                }
            }
        }
        for constraint in std::mem::take(&mut self.constraints) {
            if let Err(problem) = constraint.apply(&mut schema) {
                self.problems.push(problem);
            }
        }
        self.annotate(&mut schema);
        self.report(faults);
        Value::Object(schema)
    }

    fn annotate(&mut self, schema: &mut Map<String, Value>) {
        if !self.examples.is_empty() {
            schema.insert("examples".into(), std::mem::take(&mut self.examples).into());
        }
        if let Some(default) = self.default.take() {
            if default.is_null() {
                return;
            }
            schema.insert("default".into(), default);
        }
    }

    fn report(&mut self, faults: &mut Vec<SpecError>) {
        let problems = std::mem::take(&mut self.problems);
        faults.extend(
            problems.into_iter().map(|problem| SpecError::Argument { argument: self.name.to_owned(), problem }),
        );
    }

    fn value(&mut self, what: &str, value: &impl Serialize) -> Option<Value> {
        serde_json::to_value(value)
            .map_err(|error| self.problems.push(format!("the {what} cannot be written as JSON: {error}")))
            .ok()
    }
}

impl Constraint {
    /// Adds the keyword that fits the type, or says why none does.
    fn apply(self, schema: &mut Map<String, Value>) -> Result<(), String> {
        let kinds = kinds(schema);
        let is = |kind: &str| kinds.iter().any(|known| known == kind);
        let (keyword, value) = match self {
            Self::Minimum(value) if is("integer") || is("number") => ("minimum", value),
            Self::Maximum(value) if is("integer") || is("number") => ("maximum", value),
            Self::Minimum(_) | Self::Maximum(_) => return Err(misfit("range", "numbers", &kinds)),
            Self::MinLength(length) if is("string") => ("minLength", length.into()),
            Self::MaxLength(length) if is("string") => ("maxLength", length.into()),
            Self::MinLength(length) if is("array") => ("minItems", length.into()),
            Self::MaxLength(length) if is("array") => ("maxItems", length.into()),
            Self::MinLength(length) if is("object") => ("minProperties", length.into()),
            Self::MaxLength(length) if is("object") => ("maxProperties", length.into()),
            Self::MinLength(_) | Self::MaxLength(_) => return Err(misfit("length", "texts, arrays and maps", &kinds)),
            Self::Pattern(pattern) if is("string") => ("pattern", pattern.into()),
            Self::Pattern(_) => return Err(misfit("pattern", "texts", &kinds)),
            Self::Format(format) if is("string") => ("format", format.into()),
            Self::Format(_) => return Err(misfit("format", "texts", &kinds)),
        };
        let own = schema.get(keyword).and_then(|own| clash(keyword, &value, own));
        if let Some(problem) = own.or_else(|| unknown_format(keyword, &value)) {
            return Err(problem);
        }
        schema.insert(keyword.to_owned(), value);
        contradiction(keyword, schema).map_or(Ok(()), Err)
    }
}

/// What the type itself says must not be replaced by something that admits what decoding then refuses.
fn clash(keyword: &str, value: &Value, own: &Value) -> Option<String> {
    let (Some(new), Some(old)) = (value.as_f64(), own.as_f64()) else {
        return (value != own).then(|| format!("the type has a {keyword} of its own ({own}); only one can be given"));
    };
    let is_looser = if keyword.starts_with("min") { new < old } else { new > old };
    is_looser.then(|| {
        format!("the {keyword} {value} lies outside of what the type holds ({own}); leave it out or choose one inside")
    })
}

fn unknown_format(keyword: &str, value: &Value) -> Option<String> {
    let is_unknown = keyword == "format" && value.as_str().and_then(Format::named).is_none();
    is_unknown.then(|| {
        let checked = Format::ALL.map(|(name, _)| name).join(", ");
        format!("the format {value} is not one that is checked; those are {checked}")
    })
}

/// Two bounds between which nothing lies.
fn contradiction(keyword: &str, schema: &Map<String, Value>) -> Option<String> {
    let (min, max) = (keyword.replacen("max", "min", 1), keyword.replacen("min", "max", 1));
    let (least, most) = (schema.get(&min)?, schema.get(&max)?);
    (least.as_f64()? > most.as_f64()?)
        .then(|| format!("nothing lies between the {min} {least} and the {max} {most}; exchange them"))
}

fn misfit(what: &str, takers: &str, kinds: &[String]) -> String {
    let found = if kinds.is_empty() { "no single type".to_owned() } else { kinds.join(" or ") };
    format!("`{what}` is for {takers}, but the argument's schema says {found}")
}

fn kinds(schema: &Map<String, Value>) -> Vec<String> {
    match schema.get("type") {
        Some(Value::String(kind)) => vec![kind.clone()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}
