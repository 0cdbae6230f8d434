//! An environment in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use agentscope_tool::{Backend, async_trait};

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

    fn follow(&self, path: &str) -> io::Result<String> {
        let mut pending: Vec<String> = path.split('/').rev().map(str::to_owned).collect();
        let mut done: Vec<String> = Vec::new();
        if !path.starts_with('/') {
            let cwd = self.cwd.as_deref().ok_or_else(|| io::Error::other("no current directory"))?;
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
                        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "locked"));
                    }
                    let Some(target) = self.links.get(&here) else { continue };
                    links += 1;
                    if links > 40 {
                        return Err(io::Error::other("links go in circles"));
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

#[async_trait]
impl Backend for Memory {
    async fn canonicalize(&self, path: &str) -> io::Result<String> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        self.follow(path)
    }

    async fn canonicalize_all(&self, paths: &[String]) -> Vec<io::Result<String>> {
        self.questions.fetch_add(1, Ordering::SeqCst);
        let lost = usize::from(self.forgetful);
        paths.iter().skip(lost).map(|path| self.follow(path)).collect()
    }

    async fn home(&self) -> io::Result<String> {
        self.home.clone().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no home"))
    }

    async fn cwd(&self) -> io::Result<String> {
        self.cwd.clone().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no current directory"))
    }
}
