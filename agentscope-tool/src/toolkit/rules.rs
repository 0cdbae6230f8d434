//! Rules beside the tools that they are for: tools that there are not, examples that are not kept.

use std::fmt;

use serde_json::{Map, Value};

use super::registry::Registry;
use crate::error::ToolError;
use crate::permission::{PermissionContext, PermissionEngine, PermissionRule, PermissionSettings, RuleExample};
use crate::schema::did_you_mean;
use crate::state::AgentState;
use crate::tool::{ToolInput, ToolSpec};

/// A rule for a tool that the toolkit does not have: misspelt, most likely, so that it neither allows nor denies what
/// it was meant to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct UnknownTool {
    /// The rule.
    pub rule: PermissionRule,
    /// The tool that may have been meant.
    pub similar: Option<String>,
}

impl fmt::Display for UnknownTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, similar } = self;
        write!(f, "the rule `{rule}`")?;
        if !rule.source().is_empty() {
            write!(f, " from {}", rule.source())?;
        }
        write!(f, " is for a tool `{}` that there is not", rule.tool_name())?;
        match similar {
            Some(similar) => write!(f, "; did you mean `{similar}`?"),
            None => Ok(()),
        }
    }
}

/// An example in a settings file that does not hold.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BrokenExample {
    /// The example.
    pub example: RuleExample,
    /// What is wrong, and what to do about it.
    pub message: String,
}

impl fmt::Display for BrokenExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.example.rule.source())?;
        if let Some(line) = self.example.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl Registry {
    /// The examples of rules for tools that there are.
    pub(super) async fn broken_examples(&self, settings: &PermissionSettings) -> Vec<BrokenExample> {
        let engine = PermissionEngine::new(settings.clone().into_context());
        let mut broken = Vec::new();
        for example in settings.examples() {
            let Some(entry) = self.get(example.rule.tool_name()) else { continue };
            let message = match example_input(&example.input, entry.tool().spec()) {
                Ok(input) => {
                    let matches = engine.is_match(&example.rule, &**entry.tool(), &input).await;
                    (matches != example.matches).then(|| example.broken())
                }
                Err(error) => Some(format!(
                    "an example of rule `{}` is no call of its tool: {}",
                    example.rule,
                    error.agent_message()
                )),
            };
            broken.extend(message.map(|message| BrokenExample { example: example.clone(), message }));
        }
        broken
    }

    /// Rules of the file tools are known even where these are not: they speak about paths, whichever tool touches them.
    pub(super) fn unknown_tools(&self, context: &PermissionContext) -> Vec<UnknownTool> {
        let unknown = |rule: &&PermissionRule| self.get(rule.tool_name()).is_none() && !rule.speaks_about_paths();
        let rules = context.rules().filter(unknown);
        rules
            .map(|rule| UnknownTool {
                rule: rule.clone(),
                similar: did_you_mean(rule.tool_name(), self.names()).map(ToOwned::to_owned),
            })
            .collect()
    }

    /// What decides about the calls of this conversation. Rules for tools that there are not are logged once.
    pub(super) fn engine(&self, state: &AgentState) -> PermissionEngine {
        let permissions = state.permissions();
        if permissions.is_new() {
            for unknown in self.unknown_tools(&permissions) {
                tracing::warn!("{unknown}");
            }
        }
        PermissionEngine::new(permissions)
    }
}

/// The call that an example stands for. A text is the first argument that is one.
fn example_input(example: &Value, spec: &ToolSpec) -> Result<ToolInput, ToolError> {
    let Value::String(text) = example else { return ToolInput::from_value(example.clone(), spec) };
    let properties = spec.input_schema().get("properties").and_then(Value::as_object);
    let is_text = |schema: &Value| schema.get("type").is_some_and(|kind| kind == "string");
    let first = properties.into_iter().flatten().find(|(_, schema)| is_text(schema)).map(|(name, _)| name.clone());
    let Some(first) = first else {
        return Err(ToolError::failed("the tool has no argument that is a text; write the arguments as a table"));
    };
    ToolInput::from_value(Value::Object(Map::from_iter([(first, Value::String(text.clone()))])), spec)
}
