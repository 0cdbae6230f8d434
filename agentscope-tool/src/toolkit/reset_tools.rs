//! The tool by which a model switches groups on and off.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::group::GroupInfo;
use crate::error::ToolError;
use crate::output::ToolStream;
use crate::permission::{PermissionContext, PermissionDecision};
use crate::schema::did_you_mean;
use crate::tool::{Tool, ToolContext, ToolInput, ToolSpec};

/// The name of the tool, which no other tool may have.
pub const RESET_TOOLS: &str = "reset_tools";

/// Makes the answer out of the groups that are active afterwards.
pub(super) type Answer = Arc<dyn Fn(&[GroupInfo]) -> String + Send + Sync>;

/// Sets which groups are active. What a call does not name is switched off, so that each call tells the whole state.
pub(super) struct ResetTools {
    spec: ToolSpec,
    groups: Arc<[GroupInfo]>,
    answer: Answer,
}

impl ResetTools {
    pub(super) fn new(groups: Arc<[GroupInfo]>, answer: Answer) -> Self {
        let property = |group: &GroupInfo| {
            let schema = json!({ "type": "boolean", "default": false, "description": group.description });
            (group.name.clone(), schema)
        };
        let properties: Map<String, Value> = groups.iter().map(property).collect();
        let spec = ToolSpec::builder(
            RESET_TOOLS,
            "Choose the groups of tools that you need. A call sets the final state: groups that it does not set to \
             true are switched off. The answer says how to use the groups that are active.",
        )
        .input_schema(json!({ "type": "object", "properties": properties }))
        .concurrency_safe(true)
        .state_injected(true)
        .of_toolkit()
        .build();
        Self { spec, groups, answer }
    }

    fn reset(&self, input: &ToolInput, cx: &ToolContext) -> Result<String, ToolError> {
        let mut active = Vec::new();
        let mut unknown = Vec::new();
        for (name, value) in input.arguments() {
            match value {
                _ if !self.groups.iter().any(|group| group.name == *name) => unknown.push(name),
                Value::Bool(true) => active.push(name.clone()),
                Value::Bool(false) => {}
                other => {
                    return Err(ToolError::failed(format!("`{name}` has to be true or false, but is {other}.")));
                }
            }
        }
        if !unknown.is_empty() {
            return Err(ToolError::failed(self.unknown(&unknown)));
        }
        let groups: Vec<_> = self.groups.iter().filter(|group| active.contains(&group.name)).cloned().collect();
        let answer = (self.answer)(&groups);
        cx.agent_state().update(|record| record.tool_context.activated_groups = active);
        Ok(answer)
    }

    fn unknown(&self, unknown: &[&String]) -> String {
        const LISTED: usize = 5;
        const NAME_SHOWN: usize = 80;
        let names = || self.groups.iter().map(|group| group.name.as_str());
        let shown = unknown.iter().take(LISTED).map(|name| {
            let name: String = name.chars().take(NAME_SHOWN).collect();
            match did_you_mean(&name, names()) {
                Some(similar) => format!("`{}` (did you mean `{similar}`?)", name.escape_debug()),
                None => format!("`{}`", name.escape_debug()),
            }
        });
        let shown: Vec<_> = shown.collect();
        let known: Vec<_> = names().map(|name| format!("`{name}`")).collect();
        format!("There is no group {}; nothing was changed. The groups are: {}.", shown.join(", "), known.join(", "))
    }
}

/// The answer, unless another one is wanted.
pub(super) fn answer(active: &[GroupInfo]) -> String {
    if active.is_empty() {
        return "No group of tools is active now, beside the basic tools.".into();
    }
    let names: Vec<_> = active.iter().map(|group| group.name.as_str()).collect();
    let mut text = format!("Active groups of tools: {}.", names.join(", "));
    for group in active.iter().filter(|group| !group.instructions.trim().is_empty()) {
        text.push_str(&format!("\n\nHow to use the tools of `{}`:\n{}", group.name, group.instructions.trim_end()));
    }
    text
}

#[async_trait]
impl Tool for ResetTools {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call(self: Arc<Self>, input: ToolInput, cx: ToolContext) -> ToolStream {
        ToolStream::once(async move { self.reset(&input, &cx) })
    }

    async fn check_permissions(&self, _: &ToolInput, _: &PermissionContext) -> PermissionDecision {
        PermissionDecision::allow("it only changes which tools are shown")
    }

    /// Nothing outside of the conversation's own state changes.
    async fn check_read_only(&self, _: &ToolInput) -> bool {
        true
    }
}
