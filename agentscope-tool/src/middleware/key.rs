//! What calls have in common that share a limit.

use std::fmt;
use std::sync::Arc;

use crate::tool::{Tool, ToolContext, ToolInput};

type Function = Arc<dyn Fn(&dyn Tool, &ToolInput, &ToolContext) -> String + Send + Sync>;

/// By what calls are told apart.
#[derive(Clone, Default)]
pub(super) enum Key {
    /// Not at all: all calls share one limit.
    #[default]
    Shared,
    /// By their tool.
    Tool,
    /// By what a function says.
    Function(Function),
}

impl Key {
    pub(super) fn of(&self, tool: &dyn Tool, input: &ToolInput, cx: &ToolContext) -> String {
        match self {
            Self::Shared => String::new(),
            Self::Tool => tool.name().to_owned(),
            Self::Function(function) => function(tool, input, cx),
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Shared => "Shared",
            Self::Tool => "Tool",
            Self::Function(_) => "Function",
        })
    }
}
