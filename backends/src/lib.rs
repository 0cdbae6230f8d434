//! Environments in which the tools of [`agentscope_tool`] act.
//!
//! With the feature `local` (on by default) there is [`LocalBackend`], this machine itself. It is for Unix.
//!
//! ```
//! use agentscope_tool::Backend;
//! use agentscope_tool::backend::{Command, WriteOptions};
//! use agentscope_tool_backends::LocalBackend;
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scratch = tempfile::tempdir()?; let directory = scratch.path();
//! let backend = LocalBackend::in_directory(directory)?;
//! backend.write("src/greeting.txt", "hello\n".into(), WriteOptions::new()).await?;
//!
//! let output = backend.exec(Command::new("cat").arg("src/greeting.txt")).await?.output().await?;
//! assert!(output.status.success());
//! assert_eq!(output.stdout.to_text(), "hello\n");
//! # Ok(()) }
//! ```

#[cfg(all(feature = "local", not(unix)))]
compile_error!(
    "the feature `local` of agentscope-tool-backends is for Unix; on this system turn the default features off and use \
     a backend for an environment elsewhere"
);

#[cfg(all(feature = "local", unix))]
mod local;

#[cfg(all(feature = "local", unix))]
pub use local::LocalBackend;
