//! The tools of a toolkit at one moment.

use std::sync::Arc;

use indexmap::IndexMap;

use super::builder::ToolkitFault;
use super::group::GroupInfo;
use super::reset_tools::RESET_TOOLS;
use crate::error::ToolError;
use crate::middleware::{LayeredTool, ToolMiddleware};
use crate::schema::did_you_mean;
use crate::skill::{SKILL_VIEWER, Skill, SkillSource};
use crate::state::{AgentState, Extensions};
use crate::tool::{RESERVED_NAMES, StateRequirement, Tool, ToolInput, ToolSpec};

/// A registered tool.
#[derive(Clone)]
pub(super) struct Entry {
    tool: Arc<dyn Tool>,
    /// The same with the toolkit's middleware around it.
    runs: Arc<dyn Tool>,
    described: Option<Arc<ToolSpec>>,
    /// The group with which it is active; without one it always is.
    group: Option<Arc<str>>,
}

impl Entry {
    pub(super) fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
    }

    /// The tool's group, if it is not active.
    fn inactive_group(&self, state: &AgentState) -> Option<&str> {
        let group = self.group.as_deref()?;
        let active = state.read(|record| record.tool_context.activated_groups.iter().any(|active| active == group));
        (!active).then_some(group)
    }

    /// What a call runs.
    pub(super) fn runs(&self) -> &Arc<dyn Tool> {
        &self.runs
    }

    pub(super) fn described(&self) -> Option<&ToolSpec> {
        self.described.as_deref()
    }
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.tool.name())
    }
}

/// The tools of a toolkit by name, in order of registration.
#[derive(Clone)]
pub(crate) struct Registry {
    tools: IndexMap<String, Entry>,
    frame: Arc<Frame>,
}

/// What a toolkit is built with and keeps, whatever tools come and go.
pub(super) struct Frame {
    /// The states that tools are given.
    pub(super) extensions: Arc<Extensions>,
    /// What runs around all tools.
    pub(super) middleware: Vec<Arc<dyn ToolMiddleware>>,
    pub(super) groups: Arc<[GroupInfo]>,
    pub(super) skills: Arc<[SkillSource]>,
    pub(super) skills_text: SkillsText,
}

/// Makes what the system prompt says about skills.
pub(super) type SkillsText = Arc<dyn Fn(&[Skill]) -> String + Send + Sync>;

impl Registry {
    pub(super) fn new(frame: Frame) -> Self {
        Self { tools: IndexMap::default(), frame: Arc::new(frame) }
    }

    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// What calls are given, if there is anything to give.
    pub(super) fn extensions(&self) -> Option<Arc<Extensions>> {
        let extensions = &self.frame.extensions;
        (!extensions.is_empty()).then(|| Arc::clone(extensions))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.tools.get(name)
    }

    /// The names of all tools.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The tools that the model of this conversation is shown, with their names.
    pub(super) fn active(&self, state: &AgentState) -> impl Iterator<Item = (&str, &Entry)> {
        let active = match self.frame.groups.is_empty() {
            true => Vec::new(),
            false => state.read(|record| record.tool_context.activated_groups.clone()),
        };
        let skills = self.frame.skills.iter().any(|source| source.is_active(&active));
        let tools = self.tools.iter().map(|(name, entry)| (name.as_str(), entry));
        tools.filter(move |(name, entry)| match entry.group.as_deref() {
            Some(group) => active.iter().any(|active| active == group),
            None => skills || *name != SKILL_VIEWER,
        })
    }

    /// The tool of this name, if the model may call it now.
    pub(super) fn find(&self, name: &str, state: &AgentState) -> Result<&Entry, ToolError> {
        let entry = self.get(name).ok_or_else(|| ToolError::failed(unknown_tool(name, self.active(state))))?;
        match entry.inactive_group(state) {
            None => Ok(entry),
            Some(group) => Err(ToolError::failed(format!(
                "ToolGroupInactiveError: the tool `{name}` is in the group `{group}`, which is not active. Activate it \
                 with the tool `{RESET_TOOLS}` first."
            ))),
        }
    }

    /// Takes a tool away, unless it belongs to the toolkit.
    pub(super) fn remove(&mut self, name: &str) -> Option<Entry> {
        if RESERVED_NAMES.contains(&name) {
            return None;
        }
        self.tools.shift_remove(name)
    }

    /// Adds a tool that belongs to the toolkit, under a name that no other may have.
    pub(super) fn insert_own(&mut self, tool: Arc<dyn Tool>) {
        let Candidate { name, mut entry, .. } = Candidate::new(tool, None);
        entry.runs = LayeredTool::around(entry.runs, &self.frame.middleware);
        self.tools.insert(name, entry);
    }

    /// Adds a tool, or says all that speaks against it. Nothing of the tool's own runs here.
    pub(super) fn insert(&mut self, candidate: Candidate) -> Result<(), Vec<ToolkitFault>> {
        let Candidate { name, mut entry, states, mut faults } = candidate;
        if self.tools.contains_key(&name) {
            faults.push(ToolkitFault::DuplicateName { tool: name.clone() });
        }
        if let Some(group) = entry.group.as_deref()
            && !self.frame.groups.iter().any(|known| known.name == group)
        {
            faults.push(ToolkitFault::UnknownGroup { group: group.to_owned() });
        }
        for state in states.iter().filter(|state| !state.is_met_by(&self.frame.extensions)) {
            faults.push(ToolkitFault::MissingState { tool: name.clone(), state: state.type_name() });
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        entry.runs = LayeredTool::around(entry.runs, &self.frame.middleware);
        self.tools.insert(name, entry);
        Ok(())
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (tools, layers) = (&self.tools, self.frame.middleware.len());
        f.debug_struct("Registry").field("tools", tools).field("middleware", &layers).finish_non_exhaustive()
    }
}

/// A tool, and arguments that fit it.
pub(super) type Runnable = (Arc<dyn Tool>, ToolInput);

impl Registry {
    /// The tool that a call names, and its arguments, parsed once for the check and the run.
    pub(super) fn resolve(&self, name: &str, input: &str, state: &AgentState) -> Result<Runnable, ToolError> {
        let entry = self.find(name, state)?;
        let input = ToolInput::parse(input, entry.tool().spec())?;
        Ok((Arc::clone(entry.runs()), input))
    }
}

fn unknown_tool<'e>(name: &str, active: impl Iterator<Item = (&'e str, &'e Entry)>) -> String {
    const LISTED: usize = 20;
    const NAME_SHOWN: usize = 80;
    let active: Vec<&str> = active.map(|(name, _)| name).collect();
    let names = || active.iter().copied();
    // What a model made up may be of any length.
    let name: String = name.chars().take(NAME_SHOWN).collect();
    let mut message = format!("There is no tool named `{}`.", name.escape_debug());
    // Some models put a namespace before the name: `functions.get_weather`.
    let last = name.rsplit(['.', ':', '/']).next().unwrap_or(&name);
    if let Some(similar) = did_you_mean(last, names()) {
        message.push_str(&format!(" Did you mean `{similar}`?"));
    } else if (1..=LISTED).contains(&active.len()) {
        let names: Vec<_> = names().map(|name| format!("`{name}`")).collect();
        message.push_str(&format!(" The tools are: {}.", names.join(", ")));
    }
    message
}

/// A tool that may be registered, with all that has to be asked of it: what a tool answers is the user's code, which must
/// not run while others wait for the toolkit.
pub(super) struct Candidate {
    name: String,
    entry: Entry,
    states: Vec<StateRequirement>,
    faults: Vec<ToolkitFault>,
}

impl Candidate {
    pub(super) fn new(tool: Arc<dyn Tool>, group: Option<Arc<str>>) -> Self {
        let spec = tool.spec();
        let name = spec.name().to_owned();
        let states = spec.states().to_vec();
        let described = tool.describe().map(|description| Arc::new(spec.with_description(&description)));
        let faults = described.as_deref().unwrap_or(spec).faults().iter();
        let faults = faults.map(|fault| ToolkitFault::Spec { tool: name.clone(), fault: fault.clone() }).collect();
        Self { name, states, faults, entry: Entry { runs: Arc::clone(&tool), tool, described, group } }
    }
}
