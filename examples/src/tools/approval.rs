//! A tool that is executed elsewhere: a function without a body. The model sees it like any other; whoever runs the
//! calls passes it on, and the answer is checked against the return type.

use agentscope_tool::prelude::*;

/// What the person decided.
#[tool_args]
#[derive(Debug)]
pub struct Approval {
    /// Whether the operation may go on.
    pub approved: bool,
    /// What the person has to say about it.
    pub comment: Option<String>,
}

/// Ask a person to approve an operation that is hard to undo.
#[tool(external)]
pub async fn human_approval(
    /// The operation, in one sentence.
    #[arg(length(min = 1))]
    action: String,
    /// Why it is needed.
    reason: String,
) -> Approval;
