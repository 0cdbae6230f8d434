//! A function with nested arguments and constraints, and a result that says its schema.

use agentscope_tool::prelude::*;
use serde::Serialize;

use crate::project::{File, FileError, Project};

/// Which files are meant.
#[tool_args]
#[derive(Debug, Default)]
pub struct FileFilter {
    /// Only files with one of these extensions, without the dot, for example `rs`.
    #[schemars(length(min = 1, max = 8), inner(length(min = 1)))]
    pub extensions: Option<Vec<String>>,
    /// Only files whose size lies in this range.
    pub size: Option<SizeRange>,
}

/// A range of file sizes.
#[tool_args]
#[derive(Debug)]
pub struct SizeRange {
    /// The smallest size, in bytes.
    #[serde(default)]
    pub min: u64,
    /// The largest size, in bytes.
    pub max: Option<u64>,
}

/// What comes first.
#[tool_args]
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Paths in alphabetical order.
    Path,
    /// The largest file first.
    LargestFirst,
}

/// The files that were found.
#[tool_args]
#[derive(Debug, Serialize)]
pub struct Found {
    /// How many files there are, the listed ones and the others.
    pub total: u64,
    /// The first of them.
    pub files: Vec<FoundFile>,
}

/// A file that was found.
#[tool_args]
#[derive(Debug, Serialize)]
pub struct FoundFile {
    /// The path relative to the project.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
}

/// List files of the project.
///
/// Build output and version control are left out. For the lines inside a file, use `find_lines`.
#[tool(read_only, title = "Search files")]
pub async fn search_files(
    /// The directory to search, relative to the project's top directory.
    #[arg(default = ".".to_owned(), length(min = 1), example = "examples/src")]
    directory: String,
    /// Which files are meant; all of them if it is left out.
    filter: Option<FileFilter>,
    /// What comes first.
    #[arg(default = Order::Path)]
    order: Order,
    /// How many files to list at most.
    #[arg(default = 20, range(min = 1, max = 100))]
    limit: usize,
    #[state] project: &Project,
) -> Result<Json<Found>, FileError> {
    let mut files = project.files(&directory).await?;
    if let Some(filter) = filter {
        files.retain(|file| filter.admits(file));
    }
    if matches!(order, Order::LargestFirst) {
        files.sort_by_key(|file| std::cmp::Reverse(file.bytes));
    }
    let total = files.len() as u64;
    let files = files.into_iter().take(limit).map(|File { path, bytes }| FoundFile { path, bytes }).collect();
    Ok(Json(Found { total, files }))
}

impl FileFilter {
    fn admits(&self, file: &File) -> bool {
        let extension =
            file.path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension);
        let named = self
            .extensions
            .as_ref()
            .is_none_or(|wanted| wanted.iter().any(|wanted| extension == Some(wanted.trim_start_matches('.'))));
        let sized = self
            .size
            .as_ref()
            .is_none_or(|size| file.bytes >= size.min && size.max.is_none_or(|max| file.bytes <= max));
        named && sized
    }
}
