//! The directory that the tools may look into: what the application gives them as state.

use std::io;
use std::path::{Path, PathBuf};

use tokio::fs;

/// Directories that hold no sources.
const SKIPPED: [&str; 3] = [".git", "target", "node_modules"];

/// A directory of sources, and the only place that the tools read.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The path leads out of the project.
    #[error("`{0}` lies outside of the project; give a path relative to its top directory")]
    Outside(String),
    /// The system refused.
    #[error("`{path}` cannot be read: {source}")]
    Io {
        /// The path as the model gave it.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl FileError {
    pub(crate) fn io(path: &str) -> impl Fn(io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }
}

/// A file of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path relative to the project, with `/` between its parts.
    pub path: String,
    /// The size in bytes.
    pub bytes: u64,
}

impl Project {
    /// The project in this directory.
    ///
    /// # Errors
    /// When there is no such directory.
    pub fn open(root: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self { root: root.as_ref().canonicalize()? })
    }

    /// This repository.
    ///
    /// # Errors
    /// When the repository is no longer where it was when the program was compiled.
    pub fn this_repository() -> io::Result<Self> {
        Self::open(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
    }

    /// A path that the model named, as it is written.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The place of a file or directory that the model named.
    ///
    /// # Errors
    /// When there is no such thing, or when it lies outside of the project, through a link too.
    pub async fn resolve(&self, path: &str) -> Result<PathBuf, FileError> {
        let resolved = fs::canonicalize(self.path(path)).await.map_err(FileError::io(path))?;
        if resolved.starts_with(&self.root) { Ok(resolved) } else { Err(FileError::Outside(path.to_owned())) }
    }

    /// All files under a directory, sorted by path. Links are not followed; `.git` and `target` are left out.
    ///
    /// # Errors
    /// When the directory or one below it cannot be read.
    pub async fn files(&self, directory: &str) -> Result<Vec<File>, FileError> {
        let mut found = Vec::new();
        let mut waiting = vec![self.resolve(directory).await?];
        while let Some(current) = waiting.pop() {
            let mut entries = fs::read_dir(&current).await.map_err(FileError::io(directory))?;
            while let Some(entry) = entries.next_entry().await.map_err(FileError::io(directory))? {
                let kind = entry.file_type().await.map_err(FileError::io(directory))?;
                let name = entry.file_name();
                if kind.is_dir() && !SKIPPED.iter().any(|skipped| name == *skipped) {
                    waiting.push(entry.path());
                } else if kind.is_file() {
                    let metadata = entry.metadata().await.map_err(FileError::io(directory))?;
                    found.push(File { path: self.name(&entry.path()), bytes: metadata.len() });
                }
            }
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    fn name(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        relative.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_path_out_of_the_project_is_refused() {
        let project = Project::open(env!("CARGO_MANIFEST_DIR")).unwrap();
        assert!(project.resolve("Cargo.toml").await.is_ok());
        assert!(matches!(project.resolve("../LICENSE").await, Err(FileError::Outside(_))));
        assert!(matches!(project.resolve("/").await, Err(FileError::Outside(_))));
        assert!(matches!(project.resolve("missing").await, Err(FileError::Io { .. })));
    }

    #[tokio::test]
    async fn files_are_listed_with_paths_relative_to_the_project() {
        let files = Project::this_repository().unwrap().files("examples/src/tools").await.unwrap();
        assert!(files.iter().any(|file| file.path == "examples/src/tools/search.rs"));
        assert!(files.is_sorted_by(|a, b| a.path < b.path));
    }
}
