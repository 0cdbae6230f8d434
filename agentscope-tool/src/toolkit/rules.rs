//! Rules that name tools which a toolkit does not have.

use std::fmt;

use super::registry::Registry;
use crate::permission::{PermissionContext, PermissionEngine, PermissionRule};
use crate::schema::did_you_mean;
use crate::state::AgentState;

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

impl Registry {
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
