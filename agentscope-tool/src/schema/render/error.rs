//! Why a tool cannot be told to a provider.

use std::fmt;

use crate::schema::{NotPortable, Profile};

/// A tool, or a set of tools, that a provider would refuse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not accepted by `{profile}`: {}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
pub struct ProfileError {
    /// Whose rules it breaks.
    pub profile: Profile,
    /// What is wrong, at least one thing.
    pub faults: Vec<ProfileFault>,
}

/// One rule that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfileFault {
    /// The tool; empty where all of them together are meant.
    pub tool: String,
    /// The place in the arguments, such as `filters[].labels`; empty where the tool as a whole is meant.
    pub path: String,
    /// What is there, and what to write instead.
    pub problem: String,
    about_a_name: bool,
}

impl ProfileFault {
    pub(crate) fn new(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { tool: String::new(), path: path.into(), problem: problem.into(), about_a_name: false }
    }

    pub(super) fn of_name(path: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { about_a_name: true, ..Self::new(path, problem) }
    }

    pub(super) fn of_form(fault: &NotPortable) -> Self {
        let text = fault.to_string();
        let problem = text.split_once("` ").map_or(text.as_str(), |(_, problem)| problem);
        Self::new(fault.path(), problem)
    }

    pub(super) fn is_about_a_name(&self) -> bool {
        self.about_a_name
    }

    pub(crate) fn in_tool(self, tool: &str) -> Self {
        Self { tool: tool.to_owned(), ..self }
    }
}

impl fmt::Display for ProfileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.tool.as_str(), self.path.as_str()) {
            ("", "") => {}
            (tool, "") => write!(f, "`{tool}` ")?,
            ("", path) => write!(f, "`{path}` ")?,
            (tool, path) => write!(f, "`{path}` of `{tool}` ")?,
        }
        f.write_str(&self.problem)
    }
}
