//! Ready-made tools for agents, written with the macros of `agentscope-tool` and its public API alone.

mod glob;
mod grep;
mod search;

pub use glob::{Glob, GlobArgs};
pub use grep::{Grep, GrepArgs, GrepOutput};
