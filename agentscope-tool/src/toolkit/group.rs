//! Groups of tools that a model switches on when it needs them.

use std::fmt;
use std::sync::Arc;

use crate::skill::SkillLoader;
use crate::tool::{IntoTool, IntoToolset, Tool};

/// The name of the group that is always active.
pub const BASIC_GROUP: &str = "basic";

/// Tools that a model sees only while their group is active, so that it is not shown everything at once.
///
/// The model activates groups with the tool `reset_tools`, which a toolkit with groups has by itself; which ones are
/// active is part of the [`AgentState`](crate::AgentState).
///
/// ```
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::ToolGroup;
///
/// /// Open a page.
/// #[tool]
/// async fn open_page(/** Its address. */ url: String) -> String { url }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), ToolkitError> {
/// let browser = ToolGroup::new("browser", "Browse the web.")
///     .instructions("Close each page that you have opened.")
///     .tool(OpenPage);
/// let toolkit = Toolkit::builder().group(browser).build()?;
///
/// let state = AgentState::new();
/// let names = |state: &AgentState| toolkit.specs(state).iter().map(|spec| spec.name().to_owned()).collect::<Vec<_>>();
/// assert_eq!(names(&state), ["reset_tools"]);
///
/// let response = toolkit.call(ToolCall::new("1", "reset_tools", r#"{"browser": true}"#), &state).await;
/// assert!(response.text().contains("Close each page"));
/// assert_eq!(names(&state), ["reset_tools", "open_page"]);
/// # Ok(()) }
/// ```
#[derive(Clone)]
#[must_use]
pub struct ToolGroup {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) instructions: String,
    pub(super) tools: Vec<Arc<dyn Tool>>,
    pub(super) skills: Vec<Arc<dyn SkillLoader>>,
}

impl ToolGroup {
    /// A group with a name for the model to call it by, and a description that says when it is needed.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            instructions: String::new(),
            tools: Vec::new(),
            skills: Vec::new(),
        }
    }

    /// What the model is told when the group becomes active.
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.instructions = instructions.into();
        self
    }

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

    /// Adds skills, which the model sees while the group is active.
    pub fn skills(mut self, skills: impl SkillLoader) -> Self {
        self.skills.push(Arc::new(skills));
        self
    }

    /// What remains of it when its tools are in the toolkit.
    pub(super) fn head(&self) -> GroupInfo {
        GroupInfo {
            name: self.name.clone(),
            description: self.description.clone(),
            instructions: self.instructions.clone(),
        }
    }
}

impl fmt::Debug for ToolGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tools: Vec<_> = self.tools.iter().map(|tool| tool.name()).collect();
        f.debug_struct("ToolGroup")
            .field("name", &self.name)
            .field("description", &self.description)
            .field("tools", &tools)
            .finish_non_exhaustive()
    }
}

/// What a group says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GroupInfo {
    /// Its name.
    pub name: String,
    /// When it is needed.
    pub description: String,
    /// What the model is told when it becomes active; may be empty.
    pub instructions: String,
}
