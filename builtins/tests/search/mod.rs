//! What the tests of Glob and Grep share: a folder of files, and an environment that is not this machine.

#![allow(dead_code, clippy::unwrap_used, reason = "not each test program needs all; a test that cannot go on fails")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agentscope_tool::async_trait;
use agentscope_tool::backend::{
    Backend, BackendError, BackendErrorKind, ByteRange, Bytes, Command, DirEntry, Execution, FileStream, Operation,
    Stat, WriteOptions, Written,
};
use agentscope_tool_backends::LocalBackend;
use tempfile::TempDir;

/// A folder that is removed in the end.
pub struct Folder {
    _guard: TempDir,
    pub path: PathBuf,
}

impl Folder {
    pub fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        let path = fs::canonicalize(guard.path()).unwrap();
        Self { _guard: guard, path }
    }

    /// Adds a file, whose name may be any bytes.
    pub fn file(self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) -> Self {
        self.add(name, content);
        self
    }

    pub fn add(&self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let path = self.path.join(OsStr::from_bytes(name.as_ref()));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub fn link(self, name: &str, target: &str) -> Self {
        std::os::unix::fs::symlink(target, self.path.join(name)).unwrap();
        self
    }

    pub fn text(&self) -> &str {
        self.path.to_str().unwrap()
    }

    /// The text with `~` in place of the folder.
    pub fn shorten(&self, text: &str) -> String {
        text.replace(self.text(), "~")
    }

    pub fn backend(&self) -> LocalBackend {
        LocalBackend::in_directory(&self.path).unwrap()
    }

    /// The same files in an environment that is not this machine, and that has only these programs besides a shell.
    pub fn elsewhere(&self, programs: &'static [&'static str]) -> Arc<dyn Backend> {
        Arc::new(Elsewhere { inner: self.backend(), programs })
    }
}

#[derive(Debug)]
struct Elsewhere {
    inner: LocalBackend,
    programs: &'static [&'static str],
}

#[async_trait]
impl Backend for Elsewhere {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        let program = command.program().to_owned();
        if !self.programs.contains(&program.as_str()) {
            return Err(BackendError::new(Operation::Execute, program, BackendErrorKind::NotFound));
        }
        self.inner.exec(command).await
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        self.inner.write(path, content, options).await
    }

    async fn read_stream(&self, path: &str, range: ByteRange) -> Result<FileStream, BackendError> {
        self.inner.read_stream(path, range).await
    }

    async fn stat(&self, path: &str) -> Result<Stat, BackendError> {
        self.inner.stat(path).await
    }

    async fn list(&self, path: &str) -> Result<Vec<DirEntry>, BackendError> {
        self.inner.list(path).await
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        self.inner.canonicalize_all(paths).await
    }

    async fn home(&self) -> Result<String, BackendError> {
        self.inner.home().await
    }

    async fn cwd(&self) -> Result<String, BackendError> {
        self.inner.cwd().await
    }
}

/// Whether a program is there to be tested with.
pub fn has(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| Path::new(&directory).join(program).is_file())
}

/// The results without the notes below them.
pub fn results(text: &str) -> Vec<String> {
    let end = text.rfind("\n\n[").unwrap_or(if text.starts_with('[') { 0 } else { text.len() });
    text[..end].split('\n').filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
