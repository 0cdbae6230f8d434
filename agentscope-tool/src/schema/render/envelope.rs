//! The object around a schema.

use serde_json::{Map, Value, json};

use super::{ProfileError, ProfileFault, schema};
use crate::schema::Profile;
use crate::tool::ToolSpec;

/// Which of a provider's interfaces is spoken to, where the form of a tool differs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Api {
    /// The usual one: Chat Completions of OpenAI and what is compatible with it, Messages of Anthropic, Converse of Bedrock.
    #[default]
    Usual,
    /// OpenAI's Responses, where a function has no object of its own and is strict unless it says otherwise.
    Responses,
}

impl ToolSpec {
    /// The definition of the tool in the form that the provider takes: with OpenAI
    /// `{"type": "function", "function": {"name", "description", "parameters"}}`, with Anthropic `{"name", "description", "input_schema"}`, and so on.
    ///
    /// ```
    /// use agentscope_tool::prelude::*;
    /// use agentscope_tool::schema::Profile;
    ///
    /// /// Get the weather.
    /// #[tool(read_only)]
    /// async fn weather(/** The city. */ city: String, /** How far ahead. */ #[arg(range(min = 1, max = 7))] days: u8) -> String {
    ///     format!("{city}: {days}")
    /// }
    ///
    /// let natural = Weather.spec().render(Profile::Anthropic)?;
    /// assert_eq!(natural["input_schema"]["properties"]["days"]["maximum"], 7);
    ///
    /// let strict = Weather.spec().render(Profile::AnthropicStrict)?;
    /// assert_eq!(strict["strict"], true);
    /// assert_eq!(strict["input_schema"]["properties"]["days"]["description"], "How far ahead.\n\n{minimum: 1, maximum: 7}");
    /// # Ok::<(), agentscope_tool::schema::ProfileError>(())
    /// ```
    ///
    /// # Errors
    /// When the provider would refuse it: every rule that is broken, with its place.
    pub fn render(&self, profile: Profile) -> Result<Value, ProfileError> {
        self.render_for(profile, Api::Usual)
    }

    /// As [`render`](Self::render), for one of a provider's interfaces.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn render_for(&self, profile: Profile, api: Api) -> Result<Value, ProfileError> {
        let mut faults: Vec<_> = name_fault(self.name(), profile).into_iter().collect();
        let schema = schema(self.input_schema(), profile).unwrap_or_else(|found| {
            faults.extend(found);
            None
        });
        if !faults.is_empty() {
            let faults = faults.into_iter().map(|fault| fault.in_tool(self.name())).collect();
            return Err(ProfileError { profile, faults });
        }
        Ok(envelope(self, schema, profile, api))
    }
}

fn name_fault(name: &str, profile: Profile) -> Option<ProfileFault> {
    let (longest, is_wide) = profile.rules().name;
    let fits = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c) || is_wide && ".:".contains(c);
    let starts = !matches!(profile, Profile::Gemini | Profile::GeminiParameters)
        || name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if (1..=longest).contains(&name.len()) && name.chars().all(fits) && starts {
        return None;
    }
    let problem = format!(
        "has a name that is not taken: letters, digits, `_` and `-`, no digit first, at most {longest}; rename the tool"
    );
    Some(ProfileFault::new("", problem))
}

fn envelope(spec: &ToolSpec, schema: Option<Value>, profile: Profile, api: Api) -> Value {
    let mut tool = Map::new();
    tool.insert("name".into(), spec.name().into());
    // An empty description is refused where none is not.
    if !spec.description().trim().is_empty() {
        tool.insert("description".into(), spec.description().into());
    }
    let mut with = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            tool.insert(key.to_owned(), value);
        }
    };
    match profile {
        Profile::Anthropic | Profile::AnthropicStrict => {
            with("input_schema", schema);
            with("strict", profile.is_strict().then(|| true.into()));
            tool.into()
        }
        Profile::Gemini => {
            with("parametersJsonSchema", schema);
            tool.into()
        }
        Profile::GeminiParameters => {
            with("parameters", schema);
            tool.into()
        }
        Profile::Bedrock => {
            with("inputSchema", schema.map(|schema| json!({ "json": schema })));
            json!({ "toolSpec": tool })
        }
        Profile::Mcp => {
            let annotations = spec.annotations();
            with("inputSchema", schema);
            with("outputSchema", spec.output_schema().cloned());
            with("title", annotations.title.clone().map(Value::from));
            let hints = [
                ("readOnlyHint", spec.is_read_only().then_some(true)),
                ("destructiveHint", annotations.destructive),
                ("idempotentHint", annotations.idempotent),
                ("openWorldHint", annotations.open_world),
            ];
            let hints: Map<String, Value> =
                hints.into_iter().filter_map(|(name, hint)| Some((name.to_owned(), hint?.into()))).collect();
            with("annotations", (!hints.is_empty()).then(|| hints.into()));
            tool.into()
        }
        _ => {
            with("parameters", schema);
            match api {
                Api::Responses => {
                    with("strict", Some(profile.is_strict().into()));
                    let mut function = Map::new();
                    function.insert("type".into(), "function".into());
                    function.extend(tool);
                    function.into()
                }
                Api::Usual => {
                    with("strict", profile.is_strict().then(|| true.into()));
                    json!({ "type": "function", "function": tool })
                }
            }
        }
    }
}
