//! Edit.

mod explain;
mod matching;
mod replacing;
