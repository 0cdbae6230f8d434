//! Tools over the files of this repository, and the program that runs a model's calls on them.
//!
//! `cargo run -p agentscope-tool-examples --bin quickstart` shows both at work. Each file of [`tools`] shows one way
//! of making a tool.

pub mod permissions;
pub mod project;
pub mod quickstart;
pub mod tools;
