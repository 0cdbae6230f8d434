//! Edit.

mod matching;
