//! This machine: its files, and its programs as children of this process.

mod exec;
mod file;
mod group;
mod pipe;
mod read;
mod remove;
mod supervise;
mod temporary;
mod write;
mod xattr;

use std::path::{Path, PathBuf};

use agentscope_tool::backend::{
    Backend, BackendError, BackendErrorKind, ByteRange, Bytes, Command, DirEntry, Execution, FileContent, FileStream,
    Operation, Removal, Stat, WriteOptions, Written, host, path,
};
use async_trait::async_trait;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// The machine that this process runs on, as the user that it runs as.
///
/// Nothing is held back: a program may do whatever the user may. Looking at files happens on the runtime's blocking
/// threads. Programs need a Tokio runtime with its I/O and time drivers.
///
/// # Programs
///
/// A program runs in a process group of its own, and in a session of its own when this process has a terminal, so that
/// nothing can ask the user for a password behind the agent's back. For the same reason a Ctrl-C in that terminal does
/// not reach it: end the executions by dropping them. Ending means `SIGTERM` to the whole group, and `SIGKILL` to what is
/// left of it half a second later. When the program ends by itself, what it left in the background has a quarter of a
/// second for last words and is ended too, unless [`Command::keep_background`] says otherwise. What has made itself a
/// daemon with a session of its own is out of reach, and what it writes later is not waited for. When this process
/// itself is killed with `SIGKILL`, its programs go on.
///
/// # Writing
///
/// The new content goes to a temporary file beside the target, `.NAME.00.agentscope-tmp`, which is given the old
/// file's mode, owner, access control list and user attributes, brought to the disk, and renamed. When a process dies in between, the
/// temporary file stays, and the next write to the same target removes it; a lock tells it from that of a writer
/// that is alive.
///
/// Renaming separates hard links: the other names keep the old content. Writing in place would keep them together, but
/// could lose the content of all of them; and other names are often there to be left alone, as in the package store of
/// a package manager. [`Written::separated_links`] tells how many there were. A file that is a mount point of its own
/// cannot be replaced and is [`Busy`](BackendErrorKind::Busy); a file whose directory may not be written to cannot
/// be either.
///
/// ```
/// use std::time::Duration;
/// use agentscope_tool::Backend;
/// use agentscope_tool::backend::{Command, ExecStatus};
/// use agentscope_tool_backends::LocalBackend;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let command = Command::new("sh").args(["-c", "echo working; sleep 60"]).timeout(Duration::from_millis(200));
/// let output = LocalBackend::new().exec(command).await?.output().await?;
/// assert_eq!(output.status, ExecStatus::TimedOut);
/// assert_eq!(output.stdout.to_text(), "working\n");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default)]
pub struct LocalBackend {
    /// Absolute and without links.
    directory: Option<PathBuf>,
}

impl LocalBackend {
    /// This machine; relative paths start at the current directory of this process.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// This machine; relative paths start at that directory, and programs run in it.
    ///
    /// # Errors
    /// When it is not there, is not a directory, or its path is not UTF-8.
    pub fn in_directory(path: impl AsRef<Path>) -> Result<Self, BackendError> {
        let shown = path.as_ref().to_string_lossy().into_owned();
        let failed = |error| BackendError::io(Operation::CurrentDirectory, &shown, error);
        let directory = std::fs::canonicalize(path.as_ref()).map_err(failed)?;
        if !std::fs::metadata(&directory).map_err(failed)?.is_dir() {
            return Err(BackendError::new(Operation::CurrentDirectory, &shown, BackendErrorKind::NotADirectory)
                .because("it is not a directory"));
        }
        if directory.to_str().is_none() {
            return Err(BackendError::new(Operation::CurrentDirectory, &shown, BackendErrorKind::InvalidInput)
                .because("its path is not UTF-8"));
        }
        Ok(Self { directory: Some(directory) })
    }

    /// The path for the standard library.
    fn resolve(&self, path: &str) -> PathBuf {
        match &self.directory {
            // Joining nothing would name the directory itself.
            Some(directory) if !path.is_empty() => directory.join(path),
            _ => path.into(),
        }
    }

    /// The path as text that does not depend on this backend's directory.
    fn anchored(&self, path: &str) -> String {
        match self.directory.as_deref().and_then(Path::to_str) {
            Some(directory) if !path.is_empty() => path::join(directory, path),
            _ => path.into(),
        }
    }
}

#[async_trait]
impl Backend for LocalBackend {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        exec::exec(self.directory.clone(), command).await
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        let target = self.canonicalize(path).await.map_err(|error| {
            BackendError::new(Operation::Write, path, error.kind()).because(error.reason().into_owned())
        })?;
        let path = path.to_owned();
        blocking(Operation::Write, &path.clone(), move || write::write(&path, Path::new(&target), &content, &options))
            .await
    }

    async fn read_stream(&self, path: &str, range: ByteRange) -> Result<FileStream, BackendError> {
        read::stream(path.into(), self.resolve(path), range).await
    }

    async fn read(&self, path: &str, limit: u64) -> Result<FileContent, BackendError> {
        let (shown, file) = (path.to_owned(), self.resolve(path));
        blocking(Operation::Read, path, move || read::whole(&shown, &file, limit)).await
    }

    async fn stat(&self, path: &str) -> Result<Stat, BackendError> {
        let (shown, file) = (path.to_owned(), self.resolve(path));
        blocking(Operation::Stat, path, move || {
            file::stat(&file).map_err(|error| BackendError::io(Operation::Stat, shown, error))
        })
        .await
    }

    async fn stat_link(&self, path: &str) -> Result<Stat, BackendError> {
        let (shown, file) = (path.to_owned(), self.resolve(path));
        blocking(Operation::Stat, path, move || {
            file::stat_link(&file).map_err(|error| BackendError::io(Operation::Stat, shown, error))
        })
        .await
    }

    async fn list(&self, path: &str) -> Result<Vec<DirEntry>, BackendError> {
        let (shown, directory) = (path.to_owned(), self.resolve(path));
        blocking(Operation::List, path, move || {
            file::list(&directory).map_err(|error| BackendError::io(Operation::List, shown, error))
        })
        .await
    }

    async fn remove(&self, path: &str, what: Removal) -> Result<(), BackendError> {
        let (shown, base) = (path.to_owned(), self.clone());
        blocking(Operation::Remove, path, move || remove::remove(&shown, |path| base.resolve(path), what)).await
    }

    async fn canonicalize(&self, path: &str) -> Result<String, BackendError> {
        host::canonicalize(&self.anchored(path))
            .await
            .map_err(|error| BackendError::io(Operation::Canonicalize, path, error))
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        let anchored: Vec<_> = paths.iter().map(|path| self.anchored(path)).collect();
        let results = host::canonicalize_all(&anchored).await;
        results
            .into_iter()
            .zip(paths)
            .map(|(result, path)| result.map_err(|error| BackendError::io(Operation::Canonicalize, path, error)))
            .collect()
    }

    async fn home(&self) -> Result<String, BackendError> {
        host::home().await.map_err(|error| BackendError::io(Operation::Home, "", error))
    }

    async fn cwd(&self) -> Result<String, BackendError> {
        let cwd = match self.directory.as_deref().and_then(Path::to_str) {
            Some(directory) => Ok(directory.to_owned()),
            None => host::cwd().await,
        };
        cwd.map_err(|error| BackendError::io(Operation::CurrentDirectory, "", error))
    }

    /// The current directory of this process, or the one that was given.
    fn local_root(&self) -> Option<&Path> {
        Some(self.directory.as_deref().unwrap_or(Path::new(".")))
    }
}

/// Runs `work` where it may block: on a blocking thread of the runtime, or here if there is no runtime. Work that has
/// not begun when nobody waits for it any more is not done.
async fn blocking<T: Send + 'static>(
    operation: Operation,
    path: &str,
    work: impl FnOnce() -> Result<T, BackendError> + Send + 'static,
) -> Result<T, BackendError> {
    let Ok(runtime) = Handle::try_current() else { return work() };
    let mut task = AbortOnDrop(runtime.spawn_blocking(work));
    match (&mut task.0).await {
        Ok(result) => result,
        Err(error) => Err(BackendError::other(operation, path, error)),
    }
}

struct AbortOnDrop<T>(JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
