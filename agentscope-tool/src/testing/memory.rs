//! An environment in memory, for tests of tools.

mod node;
mod setup;
mod tree;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream;

use self::tree::Tree;
use crate::backend::{
    Backend, BackendError, BackendErrorKind, ByteRange, Command, DirEntry, ExecEvent, ExecStatus, Execution,
    FileStream, FileTime, Operation, Removal, Stat, WriteOptions, Written,
};

type Exec = Arc<dyn Fn(&Command) -> Result<ExecReply, BackendError> + Send + Sync>;

/// An environment whose files are in memory and whose programs are a function of the test.
///
/// It behaves the same each time: the clock starts at 2000-01-01 and goes on by a second with each change. Files have
/// links, modes and times as those on a disk have them, and a mode that forbids the owner to read or write is obeyed.
/// Clones share their files.
///
/// ```
/// use agentscope_tool::backend::{Backend, BackendErrorKind, Command, FileKind, FileTime};
/// use agentscope_tool::testing::{ExecReply, MemoryBackend};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let backend = MemoryBackend::new()
///     .file("/srv/a.txt", "first\n")
///     .symlink("/srv/latest", "a.txt")
///     .mode("/srv/a.txt", 0o400)
///     .mtime("/srv/a.txt", FileTime::new(1_700_000_000, 0))
///     .on_exec(|command| match command.program() {
///         "hostname" => Ok(ExecReply::success("test\n")),
///         _ => Ok(ExecReply::failure(1, "not today\n")),
///     });
///
/// assert_eq!(backend.canonicalize("/srv/latest").await?, "/srv/a.txt");
/// assert_eq!(backend.stat("/srv/latest").await?.mtime.seconds, 1_700_000_000);
/// assert_eq!(backend.list("/srv").await?[1].kind, FileKind::Symlink);
///
/// let refused = backend.write("/srv/a.txt", "x".into(), Default::default()).await.unwrap_err();
/// assert_eq!(refused.kind(), BackendErrorKind::PermissionDenied);
///
/// let output = backend.exec(Command::new("hostname")).await?.output().await?;
/// assert_eq!(output.stdout.to_text(), "test\n");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct MemoryBackend {
    tree: Arc<Mutex<Tree>>,
    home: String,
    cwd: String,
    exec: Option<Exec>,
}

impl MemoryBackend {
    /// An environment with the directories `/`, `/home/user` (home and current directory) and `/tmp`, and no programs.
    #[must_use]
    pub fn new() -> Self {
        let backend = Self { tree: Arc::default(), home: "/home/user".into(), cwd: "/home/user".into(), exec: None };
        backend.dir("/home/user").dir("/tmp")
    }

    /// Adds a file, with its parents, or gives it other content. Links in the path are followed.
    ///
    /// # Panics
    /// As all methods that set an environment up: when it cannot be, for example below another file.
    #[must_use]
    pub fn file(self, path: &str, content: impl Into<Bytes>) -> Self {
        let content = content.into();
        self.set_up(|tree, cwd| tree.write(cwd, path, content, &WriteOptions::new()).map(drop))
    }

    /// Adds a directory, with its parents.
    #[must_use]
    pub fn dir(self, path: &str) -> Self {
        self.set_up(|tree, cwd| tree.make_dirs(cwd, path))
    }

    /// Adds a symbolic link, with its parents; it may lead nowhere.
    #[must_use]
    pub fn symlink(self, path: &str, target: &str) -> Self {
        self.set_up(|tree, cwd| tree.symlink(cwd, path, target))
    }

    /// Adds another name for a file.
    #[must_use]
    pub fn hard_link(self, path: &str, existing: &str) -> Self {
        self.set_up(|tree, cwd| tree.hard_link(cwd, path, existing))
    }

    /// Adds a named pipe, which tools have to refuse.
    #[must_use]
    pub fn fifo(self, path: &str) -> Self {
        self.set_up(|tree, cwd| tree.fifo(cwd, path))
    }

    /// Sets the permission bits.
    #[must_use]
    pub fn mode(self, path: &str, mode: u32) -> Self {
        self.set_up(|tree, cwd| tree.set_mode(cwd, path, mode))
    }

    /// Sets the time of the last change of content.
    #[must_use]
    pub fn mtime(self, path: &str, mtime: FileTime) -> Self {
        self.set_up(|tree, cwd| tree.set_mtime(cwd, path, mtime))
    }

    /// Sets the current directory, and makes it.
    #[must_use]
    pub fn in_directory(mut self, path: &str) -> Self {
        self.cwd = crate::backend::path::join(&self.cwd, path);
        self.set_up(|tree, cwd| tree.make_dirs("/", cwd))
    }

    /// Sets the home directory, and makes it.
    #[must_use]
    pub fn with_home(mut self, path: &str) -> Self {
        self.home = crate::backend::path::join(&self.cwd, path);
        let home = self.home.clone();
        self.dir(&home)
    }

    /// Answers for all programs. Without it, running a program is [`Unsupported`](BackendErrorKind::Unsupported).
    #[must_use]
    pub fn on_exec(
        mut self,
        exec: impl Fn(&Command) -> Result<ExecReply, BackendError> + Send + Sync + 'static,
    ) -> Self {
        self.exec = Some(Arc::new(exec));
        self
    }

    /// Sets the environment up. That it cannot be is a mistake in the test that does it.
    #[allow(clippy::panic, reason = "for tests, where a panic points to the mistake")]
    #[track_caller]
    fn set_up(self, change: impl FnOnce(&mut Tree, &str) -> Result<(), BackendError>) -> Self {
        let result = change(&mut self.tree(), &self.cwd);
        match result {
            Ok(()) => self,
            Err(error) => panic!("the test's environment cannot be set up: {error}"),
        }
    }

    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryBackend {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryBackend").field("cwd", &self.cwd).finish_non_exhaustive()
    }
}

#[async_trait]
impl Backend for MemoryBackend {
    async fn exec(&self, command: Command) -> Result<Execution, BackendError> {
        let started = Instant::now();
        let Some(exec) = &self.exec else {
            return Err(BackendError::new(Operation::Execute, command.program(), BackendErrorKind::Unsupported)
                .because("this environment has no programs; give it some with `MemoryBackend::on_exec`"));
        };
        let reply = exec(&command)?;
        let events = [
            (!reply.stdout.is_empty()).then_some(ExecEvent::Stdout(reply.stdout)),
            (!reply.stderr.is_empty()).then_some(ExecEvent::Stderr(reply.stderr)),
            Some(ExecEvent::Exit(reply.status)),
        ];
        Ok(Execution::new(&command, started, stream::iter(events.into_iter().flatten().map(Ok))))
    }

    async fn write(&self, path: &str, content: Bytes, options: WriteOptions) -> Result<Written, BackendError> {
        self.tree().write(&self.cwd, path, content, &options)
    }

    async fn read_stream(&self, path: &str, range: ByteRange) -> Result<FileStream, BackendError> {
        let (stat, content) = self.tree().read(&self.cwd, path)?;
        let start = usize::try_from(range.start).map_or(content.len(), |start| start.min(content.len()));
        let rest = content.slice(start..);
        let len = range.len.and_then(|len| usize::try_from(len).ok()).map_or(rest.len(), |len| len.min(rest.len()));
        // Small pieces, so that what is split over two of them is met in tests.
        let pieces: Vec<_> = rest[..len].chunks(4_096).map(|piece| Ok(content.slice_ref(piece))).collect();
        Ok(FileStream::new(path, stat, stream::iter(pieces)))
    }

    async fn stat(&self, path: &str) -> Result<Stat, BackendError> {
        self.tree().stat(&self.cwd, path, true)
    }

    async fn stat_link(&self, path: &str) -> Result<Stat, BackendError> {
        self.tree().stat(&self.cwd, path, false)
    }

    async fn list(&self, path: &str) -> Result<Vec<DirEntry>, BackendError> {
        self.tree().list(&self.cwd, path)
    }

    async fn remove(&self, path: &str, what: Removal) -> Result<(), BackendError> {
        self.tree().remove(&self.cwd, path, what)
    }

    async fn canonicalize(&self, path: &str) -> Result<String, BackendError> {
        self.tree().canonicalize(&self.cwd, path)
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        let tree = self.tree();
        paths.iter().map(|path| tree.canonicalize(&self.cwd, path)).collect()
    }

    async fn home(&self) -> Result<String, BackendError> {
        Ok(self.home.clone())
    }

    async fn cwd(&self) -> Result<String, BackendError> {
        self.tree().canonicalize("/", &self.cwd)
    }
}

/// What a program of a [`MemoryBackend`] does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecReply {
    /// What it writes to its standard output.
    pub stdout: Bytes,
    /// What it writes to its standard error.
    pub stderr: Bytes,
    /// How it ends.
    pub status: ExecStatus,
}

impl ExecReply {
    /// It prints that and ends with code 0.
    #[must_use]
    pub fn success(stdout: impl Into<Bytes>) -> Self {
        Self { stdout: stdout.into(), stderr: Bytes::new(), status: ExecStatus::Exited(0) }
    }

    /// It complains and ends with that code.
    #[must_use]
    pub fn failure(code: i32, stderr: impl Into<Bytes>) -> Self {
        Self { stdout: Bytes::new(), stderr: stderr.into(), status: ExecStatus::Exited(code) }
    }

    /// It prints that and does not end in time.
    #[must_use]
    pub fn timed_out(stdout: impl Into<Bytes>) -> Self {
        Self { stdout: stdout.into(), stderr: Bytes::new(), status: ExecStatus::TimedOut }
    }
}
