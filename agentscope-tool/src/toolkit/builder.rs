//! Making a toolkit.

use std::any::{TypeId, type_name};
use std::fmt;
use std::sync::Arc;

use super::Toolkit;
use super::registry::{Candidate, Registry};
use crate::middleware::ToolMiddleware;
use crate::state::{AgentState, Extensions};
use crate::tool::{IntoTool, IntoToolset, SpecError, Tool};

/// Makes a [`Toolkit`].
#[derive(Default)]
#[must_use]
pub struct ToolkitBuilder {
    tools: Vec<Arc<dyn Tool>>,
    middleware: Vec<Arc<dyn ToolMiddleware>>,
    extensions: Extensions,
    faults: Vec<ToolkitFault>,
}

impl ToolkitBuilder {
    /// Adds a tool.
    pub fn tool<M>(mut self, tool: impl IntoTool<M>) -> Self {
        self.tools.push(tool.into_tool());
        self
    }

    /// Adds tools.
    pub fn tools<M, T: IntoTool<M>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.tools.extend(tools.into_iter().map(IntoTool::into_tool));
        self
    }

    /// Adds the tools of an object: the object itself, or an `Arc` of it.
    pub fn toolset<M>(mut self, object: impl IntoToolset<M>) -> Self {
        self.tools.extend(object.into_tools());
        self
    }

    /// Has something run around the calls of all tools, outside of the tools' own middleware and inside of what was
    /// added here before. Tools that are added to the toolkit later get it too.
    ///
    /// ```
    /// use agentscope_tool::middleware;
    /// use agentscope_tool::prelude::*;
    ///
    /// let log = middleware::after(|tool, state, cx| println!("{} {} {state}", cx.call_id(), tool.name()));
    /// let toolkit = Toolkit::builder().middleware(log).build()?;
    /// # Ok::<(), ToolkitError>(())
    /// ```
    pub fn middleware(mut self, middleware: impl ToolMiddleware) -> Self {
        self.middleware.push(Arc::new(middleware));
        self
    }

    /// Gives a state of the application to the tools that ask for its type. A value given as `T`, `Arc<T>` or
    /// `State<T>` is found as `T`, so an `Arc<dyn Trait>` is found as `dyn Trait`.
    pub fn state<T: Send + Sync + 'static>(mut self, state: T) -> Self {
        if TypeId::of::<T>() == TypeId::of::<AgentState>() {
            self.faults.push(ToolkitFault::AgentStateGiven);
        } else if self.extensions.insert(state) {
            self.faults.push(ToolkitFault::DuplicateState { state: type_name::<T>() });
        }
        self
    }

    /// The toolkit.
    ///
    /// # Errors
    /// When two tools have one name, two states have one type, a tool's spec has faults, or a tool needs a state that
    /// was not given; the error has all of it.
    pub fn build(self) -> Result<Toolkit, ToolkitError> {
        let mut registry = Registry::new(Arc::new(self.extensions), self.middleware.into());
        let mut faults = self.faults;
        faults.extend(self.tools.into_iter().flat_map(|tool| registry.insert(Candidate::new(tool)).err()).flatten());
        ToolkitError::check(faults)?;
        Ok(registry.into())
    }
}

impl fmt::Debug for ToolkitBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tools.iter().map(|tool| tool.name()).collect();
        f.debug_struct("ToolkitBuilder").field("tools", &names).field("extensions", &self.extensions).finish()
    }
}

/// A toolkit that cannot be made, with all that is wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ToolkitError {
    /// The faults, at least one.
    pub faults: Vec<ToolkitFault>,
}

impl ToolkitError {
    pub(super) fn check(faults: Vec<ToolkitFault>) -> Result<(), Self> {
        if faults.is_empty() { Ok(()) } else { Err(Self { faults }) }
    }
}

/// One thing that is wrong with a toolkit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolkitFault {
    /// Two tools have one name.
    #[error("two tools are called `{tool}`; rename one, since the model cannot tell them apart")]
    DuplicateName {
        /// The name.
        tool: String,
    },
    /// A tool needs a state that the toolkit does not have.
    #[error("tool `{tool}` needs state `{state}`, which the toolkit does not have; give it with `.state(…)`")]
    MissingState {
        /// The tool's name.
        tool: String,
        /// The name of the state's type.
        state: &'static str,
    },
    /// The agent's state was given as one of the application's.
    #[error("the agent's state is not the toolkit's: leave it out here, it is given with each call")]
    AgentStateGiven,
    /// Two states have one type.
    #[error("two states are of type `{state}`; wrap one in a type of its own, since tools find a state by its type")]
    DuplicateState {
        /// The name of the type.
        state: &'static str,
    },
    /// A tool's spec has a fault.
    #[error("tool `{tool}`: {fault}")]
    Spec {
        /// The tool's name.
        tool: String,
        /// The fault.
        fault: SpecError,
    },
}
