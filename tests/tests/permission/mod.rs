//! What the tests of permissions share: tools that touch what a call says, an environment in memory, and a tree of
//! files that is there once in memory and once on the disk.

#![allow(dead_code, reason = "each test program uses a part of this")]
#![allow(clippy::unwrap_used, reason = "a helper that fails fails its test")]

pub mod memory;
pub mod naive;
pub mod tools;
#[cfg(unix)]
pub mod world;
