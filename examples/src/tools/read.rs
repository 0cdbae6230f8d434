//! A struct that is a tool: its fields are its configuration, and its description depends on them.

use std::borrow::Cow;

use agentscope_tool::prelude::*;
use tokio::fs;
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::project::{FileError, Project};

/// Read a part of a text file.
#[derive(Debug, Tool)]
#[spec(read_only)]
pub struct ReadFile {
    project: Project,
    max_lines: u64,
}

impl ReadFile {
    /// A tool that reads at most `max_lines` lines of a file of this project at once.
    #[must_use]
    pub fn new(project: Project, max_lines: u64) -> Self {
        Self { project, max_lines }
    }
}

/// What to read.
#[tool_args]
pub struct ReadFileArgs {
    /// The file, relative to the project's top directory.
    #[schemars(length(min = 1))]
    pub path: String,
    /// The number of the first line; the lines of a file are counted from 1.
    #[serde(default = "first_line")]
    #[schemars(range(min = 1))]
    pub from: u64,
    /// How many lines to read; as many as possible if it is left out.
    #[schemars(range(min = 1))]
    pub lines: Option<u64>,
}

fn first_line() -> u64 {
    1
}

impl ToolBody for ReadFile {
    type Args = ReadFileArgs;
    type Output = Result<String, FileError>;

    async fn call(&self, args: ReadFileArgs, _: ToolContext) -> Self::Output {
        let path = self.project.resolve(&args.path).await?;
        let file = fs::File::open(path).await.map_err(FileError::io(&args.path))?;
        let mut lines = BufReader::new(file).lines();
        let end = args.from.saturating_add(args.lines.unwrap_or(u64::MAX).min(self.max_lines));
        let (mut number, mut text) = (1, String::new());
        while number < end
            && let Some(line) = lines.next_line().await.map_err(FileError::io(&args.path))?
        {
            if number >= args.from {
                text.push_str(&format!("{number}\t{line}\n"));
            }
            number += 1;
        }
        if text.is_empty() {
            return Ok(format!("`{}` ends before line {}", args.path, args.from));
        }
        Ok(text)
    }

    async fn footprint(&self, args: &ReadFileArgs) -> Footprint {
        // The engine finds out where the path leads.
        Footprint::new().reads(self.project.path(&args.path).to_string_lossy())
    }

    fn describe(&self) -> Option<Cow<'static, str>> {
        let Self { max_lines, .. } = self;
        Some(
            format!(
                "Read a part of a text file of the project, at most {max_lines} lines at once, each with its number."
            )
            .into(),
        )
    }
}
