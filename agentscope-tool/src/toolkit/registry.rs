//! The tools of a toolkit at one moment.

use std::sync::Arc;

use indexmap::IndexMap;

use super::builder::ToolkitFault;
use crate::middleware::{LayeredTool, ToolMiddleware};
use crate::state::{AgentState, Extensions};
use crate::tool::{StateRequirement, Tool, ToolSpec};

/// A registered tool.
#[derive(Clone)]
pub(super) struct Entry {
    tool: Arc<dyn Tool>,
    /// The same with the toolkit's middleware around it.
    runs: Arc<dyn Tool>,
    described: Option<Arc<ToolSpec>>,
}

impl Entry {
    pub(super) fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
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

/// The tools of a toolkit by name, in order of registration, and the states that they are given.
#[derive(Clone)]
pub(crate) struct Registry {
    tools: IndexMap<String, Entry>,
    middleware: Arc<[Arc<dyn ToolMiddleware>]>,
    extensions: Arc<Extensions>,
}

impl Registry {
    pub(super) fn new(extensions: Arc<Extensions>, middleware: Arc<[Arc<dyn ToolMiddleware>]>) -> Self {
        Self { tools: IndexMap::default(), middleware, extensions }
    }

    /// What calls are given, if there is anything to give.
    pub(super) fn extensions(&self) -> Option<Arc<Extensions>> {
        (!self.extensions.is_empty()).then(|| Arc::clone(&self.extensions))
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.tools.get(name)
    }

    /// The names of all tools.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// The tools that the model of this conversation is shown.
    pub(super) fn active(&self, _state: &AgentState) -> impl Iterator<Item = &Entry> {
        self.tools.values()
    }

    pub(super) fn remove(&mut self, name: &str) -> Option<Entry> {
        self.tools.shift_remove(name)
    }

    /// Adds a tool, or says all that speaks against it. Nothing of the tool's own runs here.
    pub(super) fn insert(&mut self, candidate: Candidate) -> Result<(), Vec<ToolkitFault>> {
        let Candidate { name, mut entry, states, mut faults } = candidate;
        if self.tools.contains_key(&name) {
            faults.push(ToolkitFault::DuplicateName { tool: name.clone() });
        }
        for state in states.iter().filter(|state| !state.is_met_by(&self.extensions)) {
            faults.push(ToolkitFault::MissingState { tool: name.clone(), state: state.type_name() });
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        entry.runs = LayeredTool::around(entry.runs, &self.middleware);
        self.tools.insert(name, entry);
        Ok(())
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (tools, layers) = (&self.tools, self.middleware.len());
        f.debug_struct("Registry").field("tools", tools).field("middleware", &layers).finish_non_exhaustive()
    }
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
    pub(super) fn new(tool: Arc<dyn Tool>) -> Self {
        let spec = tool.spec();
        let name = spec.name().to_owned();
        let states = spec.states().to_vec();
        let described = tool.describe().map(|description| Arc::new(spec.with_description(&description)));
        let faults = described.as_deref().unwrap_or(spec).faults().iter();
        let faults = faults.map(|fault| ToolkitFault::Spec { tool: name.clone(), fault: fault.clone() }).collect();
        Self { name, states, faults, entry: Entry { runs: Arc::clone(&tool), tool, described } }
    }
}
