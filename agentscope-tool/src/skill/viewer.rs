//! The tool by which a model reads a skill.

use std::sync::Arc;

use async_trait::async_trait;
use indexmap::IndexMap;
use serde_json::json;

use super::{Skill, SkillLoader};
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::permission::{PermissionContext, PermissionDecision};
use crate::schema::did_you_mean;
use crate::state::AgentState;
use crate::tool::{Tool, ToolContext, ToolInput, ToolSpec};

/// The name of the tool that shows skills, which no other tool may have.
pub const SKILL_VIEWER: &str = "Skill";

/// A loader and the group with which its skills are visible; without one they always are.
#[derive(Clone)]
pub(crate) struct SkillSource {
    pub(crate) group: Option<String>,
    pub(crate) loader: Arc<dyn SkillLoader>,
}

impl SkillSource {
    pub(crate) fn is_active(&self, active: &[String]) -> bool {
        self.group.as_ref().is_none_or(|group| active.contains(group))
    }
}

/// The skills that a conversation sees. Of two with one name the later is meant.
pub(crate) async fn visible(sources: &[SkillSource], state: &AgentState) -> Vec<Skill> {
    let active = state.read(|record| record.tool_context.activated_groups.clone());
    let mut skills = IndexMap::new();
    for source in sources.iter().filter(|source| source.is_active(&active)) {
        for skill in source.loader.load().await {
            if let Some(earlier) = skills.insert(skill.name.clone(), skill) {
                tracing::warn!(skill = earlier.name, dir = earlier.dir, "two skills have one name; the later is used");
            }
        }
    }
    skills.into_values().collect()
}

/// Shows the text of a skill.
pub(crate) struct SkillViewer {
    spec: ToolSpec,
    sources: Arc<[SkillSource]>,
}

impl SkillViewer {
    pub(crate) fn new(sources: Arc<[SkillSource]>) -> Self {
        let spec = ToolSpec::builder(SKILL_VIEWER, "Read the instructions of a skill, by its exact name.")
            .input_schema(json!({
                "type": "object",
                "properties": { "skill": { "type": "string", "description": "The name of the skill." } },
                "required": ["skill"]
            }))
            .read_only(true)
            .concurrency_safe(true)
            .state_injected(true)
            .of_toolkit()
            .build();
        Self { spec, sources }
    }

    async fn show(&self, name: &str, state: &AgentState) -> Result<String, ToolError> {
        let skills = visible(&self.sources, state).await;
        if let Some(skill) = skills.iter().find(|skill| skill.name == name) {
            return Ok(skill.markdown.clone());
        }
        Err(ToolError::failed(unknown(name, &skills)))
    }
}

fn unknown(name: &str, skills: &[Skill]) -> String {
    const LISTED: usize = 20;
    const NAME_SHOWN: usize = 80;
    let names = || skills.iter().map(|skill| skill.name.as_str());
    let name: String = name.chars().take(NAME_SHOWN).collect();
    let mut message = format!("There is no skill `{}`.", name.escape_debug());
    if let Some(similar) = did_you_mean(&name, names()) {
        message.push_str(&format!(" Did you mean `{similar}`?"));
    } else if (1..=LISTED).contains(&skills.len()) {
        let names: Vec<_> = names().map(|name| format!("`{name}`")).collect();
        message.push_str(&format!(" The skills are: {}.", names.join(", ")));
    }
    message
}

#[async_trait]
impl Tool for SkillViewer {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream {
        ToolStream::once(async move { self.show(input.str("skill")?, cx.agent_state()).await })
    }

    async fn check_permissions(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::allow("it only shows what the program offers")
    }
}
