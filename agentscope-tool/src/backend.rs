//! Where tools act: the environment whose files they read and write.

pub mod host;

use std::fmt;
use std::io;

use async_trait::async_trait;

/// An environment in which tools act: this machine, a container, a sandbox elsewhere.
///
/// Paths are text in the environment's own style, separated by `/`.
#[async_trait]
pub trait Backend: fmt::Debug + Send + Sync + 'static {
    /// The path as the environment's kernel would follow it: absolute, without `.`, `..` and symbolic links. A relative
    /// path starts at the current directory. What does not exist yet is kept as it is written behind what does, and a
    /// link that leads nowhere is followed to where it would lead.
    ///
    /// # Errors
    /// When the environment cannot say, for example because links go in circles or the result is not UTF-8.
    async fn canonicalize(&self, path: &str) -> io::Result<String>;

    /// The same for many paths at once, each with its own result.
    async fn canonicalize_all(&self, paths: &[String]) -> Vec<io::Result<String>> {
        let mut results = Vec::with_capacity(paths.len());
        for path in paths {
            results.push(self.canonicalize(path).await);
        }
        results
    }

    /// The home directory, as an absolute path.
    ///
    /// # Errors
    /// When there is none.
    async fn home(&self) -> io::Result<String>;

    /// The current directory, as an absolute path.
    ///
    /// # Errors
    /// When there is none any more.
    async fn cwd(&self) -> io::Result<String>;
}
