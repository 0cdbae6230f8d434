//! A function that returns a stream: each line is on its way to the reader as soon as it is found.

use agentscope_tool::prelude::*;
use futures_util::stream;
use tokio::fs;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};

use crate::project::{FileError, Project};

/// Find the lines of a text file that contain a text, and give each with its number.
#[tool(read_only)]
pub fn find_lines(
    /// The file, relative to the project's top directory.
    #[arg(length(min = 1))]
    path: String,
    /// The text to look for.
    #[arg(length(min = 1, max = 200))]
    text: String,
    /// Whether upper and lower case are told apart.
    #[arg(default = true)]
    case_sensitive: bool,
    /// How many lines to give at most.
    #[arg(default = 50, range(min = 1, max = 1000))]
    limit: usize,
    #[state] project: State<Project>,
) -> impl Stream<Item = Result<String, FileError>> + Send {
    let search = Search { project, path, text, case_sensitive, lines: None, number: 0 };
    stream::try_unfold(search, |mut search| async { Ok(search.next().await?.map(|line| (line, search))) }).take(limit)
}

struct Search {
    project: State<Project>,
    path: String,
    text: String,
    case_sensitive: bool,
    /// Nothing until the first line is asked for: a stream that nobody reads opens no file.
    lines: Option<Lines<BufReader<fs::File>>>,
    number: u64,
}

impl Search {
    async fn next(&mut self) -> Result<Option<String>, FileError> {
        let lines = match &mut self.lines {
            Some(lines) => lines,
            None => {
                let path = self.project.resolve(&self.path).await?;
                let file = fs::File::open(path).await.map_err(FileError::io(&self.path))?;
                if !self.case_sensitive {
                    self.text = self.text.to_lowercase();
                }
                self.lines.insert(BufReader::new(file).lines())
            }
        };
        while let Some(line) = lines.next_line().await.map_err(FileError::io(&self.path))? {
            self.number += 1;
            let found = match self.case_sensitive {
                true => line.contains(&self.text),
                false => line.to_lowercase().contains(&self.text),
            };
            if found {
                return Ok(Some(format!("{}: {}\n", self.number, line.trim())));
            }
        }
        Ok(None)
    }
}
