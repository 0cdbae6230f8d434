//! The tools, each made in another way, and the toolkit that holds them.

pub mod approval;
pub mod count;
pub mod lines;
pub mod notes;
pub mod read;
pub mod search;

use agentscope_tool::{PermissionContext, ReadOnlyPolicy, RuleError, Toolkit, ToolkitError};

use crate::project::Project;

/// All tools, on one project.
///
/// # Errors
/// When the tools do not fit together; see [`ToolkitError`].
pub fn toolkit(project: Project) -> Result<Toolkit, ToolkitError> {
    Toolkit::builder()
        .state(project.clone())
        .tool(search::SearchFiles)
        .tool(count::CountLines)
        .tool(lines::FindLines)
        .tool(read::ReadFile::new(project, 200))
        .toolset(notes::NoteBook::default())
        .tool(approval::HumanApproval)
        .build()
}

/// What they may do unasked: read, and take notes.
///
/// # Errors
/// When a rule is not valid.
pub fn permissions() -> Result<PermissionContext, RuleError> {
    PermissionContext::new().with_read_only_policy(ReadOnlyPolicy::Always).allow("take_note")
}
