//! All tools of a request as a provider is told of them.

use serde_json::Value;

use super::Toolkit;
use crate::schema::{Api, Counts, Profile, ProfileError, ProfileFault};
use crate::state::AgentState;
use crate::tool::ToolSpec;

impl Toolkit {
    /// The definitions of all tools that the conversation sees, in the form that the provider takes, in order of registration: what
    /// goes into the request's `tools` (with Gemini into `functionDeclarations`).
    ///
    /// ```
    /// use agentscope_tool::prelude::*;
    /// use agentscope_tool::schema::Profile;
    ///
    /// /// Roll a die.
    /// #[tool]
    /// async fn roll(/** Its sides. */ sides: u8) -> u8 { sides }
    ///
    /// let toolkit = Toolkit::builder().tool(Roll).build()?;
    /// let tools = toolkit.render(Profile::OpenAiStrict, &AgentState::new())?;
    /// assert_eq!(tools[0]["function"]["parameters"]["additionalProperties"], false);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the provider would refuse a tool, or all of them together: every rule that is broken, with the tool and the place.
    pub fn render(&self, profile: Profile, state: &AgentState) -> Result<Vec<Value>, ProfileError> {
        self.render_for(profile, Api::Usual, state)
    }

    /// As [`render`](Self::render), for one of a provider's interfaces.
    ///
    /// # Errors
    /// As [`render`](Self::render).
    pub fn render_for(&self, profile: Profile, api: Api, state: &AgentState) -> Result<Vec<Value>, ProfileError> {
        let specs = self.specs(state);
        let mut faults = Vec::new();
        let mut tools = Vec::with_capacity(specs.len());
        for spec in &specs {
            match spec.render_for(profile, api) {
                Ok(tool) => tools.push(tool),
                Err(error) => faults.extend(error.faults),
            }
        }
        faults.extend(beyond(&specs, profile));
        if faults.is_empty() { Ok(tools) } else { Err(ProfileError { profile, faults }) }
    }
}

/// What a request may not have of all its tools together.
fn beyond(specs: &[ToolSpec], profile: Profile) -> Vec<ProfileFault> {
    let rules = profile.rules();
    let schemas = specs.iter().filter_map(|spec| crate::schema::rendered(spec.input_schema(), profile).ok().flatten());
    let all = schemas.map(|schema| Counts::of(&schema)).fold(Counts::default(), Counts::and);
    let limits = [
        (specs.len(), rules.tools, "tools; put some of them into groups"),
        (all.unions, rules.unions, "properties that may be `null` or are a choice; make some of them required"),
        (all.optional, rules.optional, "properties that may be left out; make some of them required"),
        (all.characters, rules.characters, "characters in the names of properties and values"),
    ];
    let fault = |(found, limit, what): (usize, Option<usize>, &str)| {
        let limit = limit.filter(|limit| found > *limit)?;
        Some(ProfileFault::new("", format!("all tools together have {found} of at most {limit} {what}")))
    };
    limits.into_iter().filter_map(fault).collect()
}
