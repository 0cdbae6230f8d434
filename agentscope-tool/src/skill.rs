//! Skills: instructions that a model reads when a task calls for them.
//!
//! A [`Skill`] is a Markdown text with a name and a description; a [`SkillLoader`] is where skills come from. A toolkit
//! with skills tells the model which there are ([`Toolkit::skill_instructions`](crate::Toolkit::skill_instructions)) and
//! has the tool `Skill`, with which the model reads one.

mod instructions;
#[cfg(feature = "skills")]
mod local;
mod viewer;

use async_trait::async_trait;

pub(crate) use instructions::instructions;
#[cfg(feature = "skills")]
pub use local::LocalSkillLoader;
pub use viewer::SKILL_VIEWER;
pub(crate) use viewer::{SkillSource, SkillViewer, visible};

/// Instructions for a kind of task.
///
/// ```
/// use agentscope_tool::prelude::*;
/// use agentscope_tool::Skill;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), ToolkitError> {
/// let pdf = Skill::new("pdf", "Fill in PDF forms.", "Use `qpdf` to look at the fields first.").in_dir("/skills/pdf");
/// let toolkit = Toolkit::builder().skills(pdf).build()?;
/// let state = AgentState::new();
///
/// let prompt = toolkit.skill_instructions(&state).await;
/// assert!(prompt.is_some_and(|prompt| prompt.contains("Fill in PDF forms.")));
///
/// let response = toolkit.call(ToolCall::new("1", "Skill", r#"{"skill": "pdf"}"#), &state).await;
/// assert!(response.text().contains("Use `qpdf`"));
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skill {
    /// The name by which the model asks for it.
    pub name: String,
    /// What it is for, so that the model knows when to ask.
    pub description: String,
    /// The directory with the skill's files, as the model's tools see it; empty if there is none.
    pub dir: String,
    /// The instructions.
    pub markdown: String,
}

impl Skill {
    /// A skill without files.
    #[must_use]
    pub fn new(name: impl Into<String>, description: impl Into<String>, markdown: impl Into<String>) -> Self {
        Self { name: name.into(), description: description.into(), dir: String::new(), markdown: markdown.into() }
    }

    /// The same with its files in this directory.
    #[must_use]
    pub fn in_dir(mut self, dir: impl Into<String>) -> Self {
        self.dir = dir.into();
        self
    }
}

/// Where skills come from.
///
/// It is asked each time the model is told of skills or reads one, so that skills may change while a program runs; a
/// loader that has to look far keeps what it found.
#[async_trait]
pub trait SkillLoader: Send + Sync + 'static {
    /// The skills that there are now. What cannot be loaded is left out, with a warning in the log.
    async fn load(&self) -> Vec<Skill>;
}

#[async_trait]
impl SkillLoader for Skill {
    async fn load(&self) -> Vec<Skill> {
        vec![self.clone()]
    }
}

#[async_trait]
impl SkillLoader for Vec<Skill> {
    async fn load(&self) -> Vec<Skill> {
        self.clone()
    }
}

#[async_trait]
impl<L: SkillLoader + ?Sized> SkillLoader for std::sync::Arc<L> {
    async fn load(&self) -> Vec<Skill> {
        (**self).load().await
    }
}
