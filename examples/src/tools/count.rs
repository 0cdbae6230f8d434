//! A function with injected state: the application's project, and the agent's own state, in which it remembers what
//! it has counted.

use agentscope_tool::prelude::*;
use tokio::fs;

use crate::project::{FileError, Project};

/// Where the agent's state keeps the counts.
const KEY: &str = "counted_lines";

/// Count the lines of a text file. The answer says how many lines were counted in this conversation altogether.
#[tool(read_only)]
pub async fn count_lines(
    /// The file, relative to the project's top directory.
    #[arg(length(min = 1))]
    path: String,
    /// Whether lines without text count too.
    #[arg(default = true)]
    blank_lines: bool,
    #[state] project: &Project,
    #[state] agent: &AgentState,
) -> Result<String, FileError> {
    let text = fs::read_to_string(project.resolve(&path).await?).await.map_err(FileError::io(&path))?;
    let lines = text.lines().filter(|line| blank_lines || !line.trim().is_empty()).count() as u64;
    let altogether = agent.update(|record| {
        let before = record.middle_context.get(KEY).and_then(serde_json::Value::as_u64).unwrap_or(0);
        record.middle_context.insert(KEY.into(), (before + lines).into());
        before + lines
    });
    Ok(format!("{path} has {lines} lines; {altogether} were counted in this conversation"))
}
