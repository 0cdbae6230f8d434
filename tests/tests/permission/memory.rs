//! An environment in memory.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentscope_tool::async_trait;
use agentscope_tool::backend::{
    Backend, BackendError, BackendErrorKind, Bytes, Command, Execution, Operation, WriteOptions, Written,
};

/// Links, a home, a current directory, and what goes wrong. Every path is there or might be.
#[derive(Debug)]
pub struct Memory {
    pub links: BTreeMap<String, String>,
    /// The home directory, or none.
    pub home: Option<String>,
    /// The current directory, or none.
    pub cwd: Option<String>,
    /// Paths that lead here cannot be looked at.
    pub locked: Option<String>,
    /// Whether answers get lost on the way.
    pub forgetful: bool,
    pub questions: AtomicUsize,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            links: BTreeMap::new(),
            home: Some("/home/u".into()),
            cwd: Some("/w/app".into()),
            locked: None,
            forgetful: false,
            questions: AtomicUsize::new(0),
        }
    }
}

impl Memory {
    /// The same with a link.
    pub fn link(mut self, at: &str, to: &str) -> Self {
        self.links.insert(at.into(), to.into());
        self
    }

    /// How often many paths were asked about at once, or one alone.
    pub fn questions(&self) -> usize {
        self.questions.load(Ordering::SeqCst)
    }

    fn follow(&self, path: &str) -> Result<String, BackendError> {
        let mut pending: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut done: Vec<String> = Vec::new();
        if !path.starts_with('/') {
            let cwd =
                self.cwd.as_deref().ok_or_else(|| refused(Operation::CurrentDirectory, BackendErrorKind::NotFound))?;
            pending.extend(cwd.split('/').rev().map(str::to_owned));
        }
        let mut links = 0;
        while let Some(name) = pending.pop() {
            match &*name {
                "" | "." => {}
                ".." => drop(done.pop()),
                _ => {
                    done.push(name);
                    let here = format!("/{}", done.join("/"));
                    if self.locked.as_ref() == Some(&here) {
                        return Err(refused(Operation::Canonicalize, BackendErrorKind::PermissionDenied));
                    }
                    let Some(target) = self.links.get(&here) else { continue };
                    links += 1;
                    if links > 40 {
                        return Err(BackendError::other(Operation::Canonicalize, path, "links go in circles"));
                    }
                    done.pop();
                    if target.starts_with('/') {
                        done.clear();
                    }
                    pending.extend(target.split('/').rev().map(str::to_owned));
                }
            }
        }
        Ok(format!("/{}", done.join("/")))
    }
}

fn refused(operation: Operation, kind: BackendErrorKind) -> BackendError {
    BackendError::new(operation, "", kind)
}

#[async_trait]
impl Backend for Memory {
    async fn exec(&self, _: Command) -> Result<Execution, BackendError> {
        Err(refused(Operation::Execute, BackendErrorKind::Unsupported))
    }

    async fn write(&self, _: &str, _: Bytes, _: WriteOptions) -> Result<Written, BackendError> {
        Err(refused(Operation::Write, BackendErrorKind::Unsupported))
    }

    async fn canonicalize(&self, path: &str) -> Result<String, BackendError> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.follow(path)
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<Result<String, BackendError>> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        let lost = usize::from(self.forgetful);
        paths.iter().skip(lost).map(|path| self.follow(path)).collect()
    }

    async fn home(&self) -> Result<String, BackendError> {
        self.home.clone().ok_or_else(|| refused(Operation::Home, BackendErrorKind::NotFound))
    }

    async fn cwd(&self) -> Result<String, BackendError> {
        self.cwd.clone().ok_or_else(|| refused(Operation::CurrentDirectory, BackendErrorKind::NotFound))
    }
}
