//! The tools of a toolkit at one moment.

use std::sync::Arc;

use indexmap::IndexMap;

use super::builder::ToolkitFault;
use crate::state::{AgentState, Extensions};
use crate::tool::{Tool, ToolSpec};

/// A registered tool.
#[derive(Clone)]
pub(super) struct Entry {
    tool: Arc<dyn Tool>,
    described: Option<Arc<ToolSpec>>,
}

impl Entry {
    pub(super) fn tool(&self) -> &Arc<dyn Tool> {
        &self.tool
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    tools: IndexMap<String, Entry>,
    extensions: Arc<Extensions>,
}

impl Registry {
    pub(super) fn new(extensions: Arc<Extensions>) -> Self {
        Self { tools: IndexMap::new(), extensions }
    }

    pub(super) fn extensions(&self) -> &Arc<Extensions> {
        &self.extensions
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

    /// Adds a tool, or says all that speaks against it.
    pub(super) fn insert(&mut self, tool: Arc<dyn Tool>) -> Vec<ToolkitFault> {
        let spec = tool.spec();
        let name = spec.name().to_owned();
        let described = tool.describe().map(|description| spec.with_description(&description));
        let mut faults: Vec<_> = described
            .as_ref()
            .unwrap_or(spec)
            .faults()
            .iter()
            .map(|fault| ToolkitFault::Spec { tool: name.clone(), fault: fault.clone() })
            .collect();
        if self.tools.contains_key(&name) {
            faults.push(ToolkitFault::DuplicateName { tool: name.clone() });
        }
        for state in spec.states().iter().filter(|state| !state.is_met_by(&self.extensions)) {
            faults.push(ToolkitFault::MissingState { tool: name.clone(), state: state.type_name() });
        }
        if faults.is_empty() {
            self.tools.insert(name, Entry { tool, described: described.map(Arc::new) });
        }
        faults
    }
}
