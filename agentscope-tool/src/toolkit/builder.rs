//! Making a toolkit.

use std::any::{TypeId, type_name};
use std::fmt;
use std::sync::Arc;

use super::Toolkit;
use super::group::{BASIC_GROUP, GroupInfo, ToolGroup};
use super::registry::{Candidate, Frame, Registry, SkillsText};
use super::reset_tools::{self, ResetTools};
use crate::middleware::ToolMiddleware;
use crate::skill::{self, Skill, SkillLoader, SkillSource, SkillViewer};
use crate::state::{AgentState, Extensions};
use crate::tool::{IntoTool, IntoToolset, SpecError, Tool};

/// Makes a [`Toolkit`].
#[derive(Default)]
#[must_use]
pub struct ToolkitBuilder {
    tools: Vec<Arc<dyn Tool>>,
    groups: Vec<ToolGroup>,
    skills: Vec<Arc<dyn SkillLoader>>,
    texts: Texts,
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

    /// Adds tools that the model only sees while their group is active.
    pub fn group(mut self, group: ToolGroup) -> Self {
        self.groups.push(group);
        self
    }

    /// Adds skills that are always visible.
    pub fn skills(mut self, skills: impl SkillLoader) -> Self {
        self.skills.push(Arc::new(skills));
        self
    }

    /// Says in other words what `reset_tools` answers: the text for the groups that are active now, in order of
    /// registration.
    pub fn groups_text(mut self, text: impl Fn(&[GroupInfo]) -> String + Send + Sync + 'static) -> Self {
        self.texts.groups = Arc::new(text);
        self
    }

    /// Says in other words which skills there are: the text for the system prompt. What skills say of themselves has to
    /// be escaped in it.
    pub fn skills_text(mut self, text: impl Fn(&[Skill]) -> String + Send + Sync + 'static) -> Self {
        self.texts.skills = Arc::new(text);
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
        let mut faults = self.faults;
        faults.extend(group_faults(&self.groups));
        let groups: Arc<[GroupInfo]> = self.groups.iter().map(ToolGroup::head).collect();
        let source = |group: Option<&str>, loader: &Arc<dyn SkillLoader>| SkillSource {
            group: group.map(str::to_owned),
            loader: Arc::clone(loader),
        };
        let basic = self.skills.iter().map(|loader| source(None, loader));
        let grouped = self.groups.iter().flat_map(|group| {
            let name = group.name.as_str();
            group.skills.iter().map(move |loader| source(Some(name), loader))
        });
        let skills: Arc<[SkillSource]> = basic.chain(grouped).collect();

        let mut registry = Registry::new(Frame {
            extensions: Arc::new(self.extensions),
            middleware: self.middleware,
            groups: Arc::clone(&groups),
            skills: Arc::clone(&skills),
            skills_text: self.texts.skills,
        });
        if !skills.is_empty() {
            registry.insert_own(Arc::new(SkillViewer::new(skills)));
        }
        if !groups.is_empty() {
            registry.insert_own(Arc::new(ResetTools::new(groups, self.texts.groups)));
        }
        let tools = self.tools.into_iter().map(|tool| (tool, None));
        let grouped = self.groups.into_iter().flat_map(|group| {
            let name = Arc::<str>::from(group.name);
            group.tools.into_iter().map(move |tool| (tool, Some(Arc::clone(&name))))
        });
        let inserted =
            tools.chain(grouped).flat_map(|(tool, group)| registry.insert(Candidate::new(tool, group)).err());
        faults.extend(inserted.flatten());
        ToolkitError::check(faults)?;
        Ok(registry.into())
    }
}

/// The texts that a toolkit makes itself.
struct Texts {
    groups: reset_tools::Answer,
    skills: SkillsText,
}

impl Default for Texts {
    fn default() -> Self {
        Self { groups: Arc::new(reset_tools::answer), skills: Arc::new(skill::instructions) }
    }
}

fn group_faults(groups: &[ToolGroup]) -> Vec<ToolkitFault> {
    let mut faults = Vec::new();
    for (index, group) in groups.iter().enumerate() {
        let name = || group.name.clone();
        if group.name == BASIC_GROUP {
            faults.push(ToolkitFault::BasicGroup);
        } else if groups[..index].iter().any(|earlier| earlier.name == group.name) {
            faults.push(ToolkitFault::DuplicateGroup { group: name() });
        }
        if group.name.trim().is_empty() {
            faults.push(ToolkitFault::NamelessGroup { description: group.description.clone() });
        } else if group.description.trim().is_empty() {
            faults.push(ToolkitFault::UndescribedGroup { group: name() });
        }
    }
    faults
}

impl fmt::Debug for ToolkitBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.tools.iter().map(|tool| tool.name()).collect();
        f.debug_struct("ToolkitBuilder")
            .field("tools", &names)
            .field("groups", &self.groups)
            .field("extensions", &self.extensions)
            .finish()
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
    /// A group has the name of the one that is always there.
    #[error("a group cannot be called `{BASIC_GROUP}`: add what is always active to the toolkit itself")]
    BasicGroup,
    /// Two groups have one name.
    #[error("two groups are called `{group}`; rename one, or make one of both")]
    DuplicateGroup {
        /// The name.
        group: String,
    },
    /// A group has no name.
    #[error("the group described as `{description}` has no name; the model needs one to activate it")]
    NamelessGroup {
        /// The group's description.
        description: String,
    },
    /// A group has no description.
    #[error("the group `{group}` has no description; the model needs one to know when to activate it")]
    UndescribedGroup {
        /// The name.
        group: String,
    },
    /// There is no group of this name.
    #[error("there is no group `{group}`; a toolkit's groups are given when it is built")]
    UnknownGroup {
        /// The name.
        group: String,
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
